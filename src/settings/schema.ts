/**
 * The client's settings as it defines them itself, and the effect of a wrong value: each shape here is one whose
 * violation makes 2.1.330 drop the whole file with every hook in it (measured value by value;
 * test/fixtures/client/settings-values.json). If only the one value is left out, the shape is 'any'.
 */
import { MARKETPLACE, MARKETPLACE_SOURCE } from './marketplaces.ts';
import { SANDBOX } from './sandbox.ts';
import { each, type Shape, type ShapeFields } from './shape.ts';

const PERMISSIONS: ShapeFields = {
  ...each({ list: 'any' }, 'allow deny ask'),
  ...each({ one_of: 'disable' }, 'disableBypassPermissionsMode disableAutoMode'),
  ...each(
    'boolean',
    'blockReadsOutsideWorkingDirectories blockWritesOutsideWorkingDirectories denyInsteadOfPrompting',
  ),
  defaultMode: { one_of: 'acceptEdits auto bypassPermissions default dontAsk plan' },
  additionalDirectories: { list: 'string' },
};

const PERMISSIONS_HARMLESS = 'blockReadsExemptPaths workingDirectoriesAsGiven workingDirectoriesExclude';

const OPTION: Shape = { any_of: ['string', 'number', 'boolean', { list: 'string' }] };

const COMMAND: ShapeFields = { type: { one_of: 'command' }, command: 'string' };

const SCHEMA: ShapeFields = {
  ...each(
    'string',
    '$schema apiKeyHelper proxyAuthHelper awsCredentialExport awsAuthRefresh gcpAuthRefresh ' +
      'processWrapper attributionProject model prUrlTemplate otelHeadersHelper outputStyle language ' +
      'advisorModel agent minimumVersion requiredMinimumVersion requiredMaximumVersion plansDirectory ' +
      'timeZone autoMemoryDirectory claudeMd pluginTrustMessage',
  ),
  ...each(
    'boolean',
    'respectGitignore syncClaudeAiSkills syncClaudeAiPlugins wslInheritsWindowsSettings ' +
      'includeCoAuthoredBy includeGitInstructions enforceAvailableModels enableAllProjectMcpServers ' +
      'disableClaudeAiConnectors disableBundledSkills disableDirectMcpSkills disableAllHooks ' +
      'disableReplyCheck disableAgentView disableRemoteControl disableWorkflows disableArtifact ' +
      'enableArtifact enableWorkflows workflowKeywordTriggerEnabled disableSkillShellExecution ' +
      'disableWindowsBashCommandSplit bashEditDiffEnabled respondToBashCommands allowManagedHooksOnly ' +
      'allowManagedPermissionRulesOnly allowManagedMcpServersOnly allowAllClaudeAiMcps ' +
      'allowClaudeInChromeWithManagedMcp disableCommandPluginSources disableSideloadFlags ' +
      'allowNestedModelAccessUnderForceLogin forceRemoteSettingsRefresh skipWebFetchPreflight ' +
      'spinnerTipsEnabled syntaxHighlightingDisabled terminalTitleFromRename alwaysThinkingEnabled ' +
      'fastMode fastModePerSessionOptIn promptSuggestionEnabled emojiCompletionEnabled ' +
      'showClearContextOnPlanAccept channelsEnabled prefersReducedMotion autoMemoryEnabled ' +
      'autoDreamEnabled showThinkingSummaries skipDangerousModePermissionPrompt verbose ' +
      'autoCompactEnabled precomputeCompactionEnabled idleCompaction switchModelsOnFlag ' +
      'autoContinueAtUsageLimit autoScrollEnabled wheelScrollAccelerationEnabled ' +
      'fileCheckpointingEnabled showTurnDuration showMessageTimestamps terminalProgressBarEnabled ' +
      'todoFeatureEnabled remoteControlAtStartup isolatePeerMachines autoUploadSessions ' +
      'inputNeededNotifEnabled agentPushNotifEnabled skipAutoPermissionPrompt useAutoModeDuringPlan ' +
      'voiceEnabled axScreenReader',
  ),
  ...each(
    { list: 'string' },
    'fallbackModel availableModels enabledMcpjsonServers disabledMcpjsonServers allowedHttpHookUrls ' +
      'httpHookAllowedEnvVars pluginSuggestionMarketplaces companyAnnouncements claudeMdExcludes',
  ),
  fileSuggestion: { fields: COMMAND, needs: 'type command' },
  ...each({ whole: [1, Infinity] }, 'cleanupPeriodDays skillListingMaxDescChars'),
  desktopSessionCleanupPeriodDays: { whole: [0, Infinity] },
  skillListingBudgetFraction: { number: [Number.MIN_VALUE, 1] },
  env: { map: 'any' },
  attribution: { fields: { commit: 'string', pr: 'string', sessionUrl: 'boolean' } },
  permissions: { fields: PERMISSIONS },
  modelOverrides: { map: 'string' },
  skillOverrides: { map: { one_of: 'on name-only user-invocable-only off' } },
  worktree: {
    fields: {
      ...each({ list: 'string' }, 'symlinkDirectories sparsePaths'),
      baseRef: { one_of: 'fresh head' },
    },
  },
  workflowSizeGuideline: { one_of: 'unrestricted small medium large' },
  defaultShell: { one_of: 'bash powershell' },
  statusLine: {
    fields: { ...COMMAND, padding: 'number', hideVimModeIndicator: 'boolean' },
    needs: 'type command',
  },
  ...each({ map: MARKETPLACE, lenient: true }, 'extraKnownMarketplaces additionalMarketplaces'),
  ...each({ list: MARKETPLACE_SOURCE }, 'strictKnownMarketplaces allowedMarketplaces blockedMarketplaces'),
  pluginConfigs: { map: { fields: { mcpServers: { map: { map: OPTION } }, options: { map: OPTION } } } },
  enabledPlugins: { map: { any_of: [{ list: 'string' }, 'boolean'] } },
  ...each({ one_of: 'first-wins merge' }, 'parentSettingsBehavior managedSourcesBehavior'),
  forceLoginOrgUUID: { any_of: ['string', { list: 'string' }] },
  sandbox: SANDBOX,
  feedbackSurveyRate: { number: [0, 1] },
  feedbackDrafts: { one_of: 'notify quiet off' },
  spinnerVerbs: {
    fields: { mode: { one_of: 'append replace' }, verbs: { list: 'string' } },
    needs: 'mode verbs',
  },
  remote: { fields: { defaultEnvironmentId: 'string' } },
  autoUpdatesChannel: { one_of: 'latest stable rc' },
  tui: { one_of: 'default fullscreen' },
  voice: { fields: { enabled: 'boolean', mode: { one_of: 'hold tap' }, autoSubmit: 'boolean' } },
  allowedChannelPlugins: {
    list: { fields: { marketplace: 'string', plugin: 'string' }, needs: 'marketplace plugin' },
  },
  timeFormat: 'string',
  ...each({ one_of: 'disable' }, 'disableAutoMode disableDeepLinkRegistration'),
  sshConfigs: {
    list: {
      fields: { ...each('string', 'id name sshHost sshIdentityFile startDirectory'), sshPort: 'number' },
      needs: 'id name sshHost',
    },
  },
  daemonColdStart: { one_of: 'transient ask' },
  autoMode: {
    fields: {
      ...each({ list: 'string' }, 'allow soft_deny hard_deny environment'),
      classifyAllShell: 'boolean',
    },
  },
  defaultView: { one_of: 'chat transcript' },
};

/** Known keys whose faults affect nothing else. `hooks` has its own rules. */
const HARMLESS =
  'hooks policyHelper attributionProjectPolicy availableModelsMatch deniedModels modelPicker ' +
  'modelPricing managedMcpServers allowedMcpServers deniedMcpServers bashOutputMaxChars ' +
  'taskOutputMaxChars desktopMcpServersListScope strictPluginOnlyCustomization footerLinksRegexes ' +
  'subagentStatusLine prependPlugins appendPlugins extraKnownMarketplaces additionalMarketplaces ' +
  'forceLoginMethod forceLoginGatewayUrl gatewayInternalNetworks allowedProviders viewMode ' +
  'spinnerTipsOverride maxProseWidth spellcheck promptCacheTtl subagentPromptCacheTtl effortLevel ' +
  'maxEffortLevel modelSettings ultracode autoCompactWindow askUserQuestionTimeout dialogExpiry ' +
  'sshHostCommands theme editorMode keybindingFlavor vimInsertModeRemaps preferredNotifChannel ' +
  'teammateMode crossSessionInbound';

/** Only up to 2.1.200. */
const FORMER =
  'breakReminder quietHours awaySummaryEnabled doneMeansMerged totalTokensReminder ' +
  'totalTokensReminderBudget skipWorkflowUsageWarning';

/** Keys for which `null` counts as absent. */
const MAY_BE_NULL =
  'syncClaudeAiSkills syncClaudeAiPlugins enforceAvailableModels enableAllProjectMcpServers ' +
  'disableClaudeAiConnectors disableBundledSkills disableDirectMcpSkills disableAgentView ' +
  'disableRemoteControl disableWorkflows disableArtifact enableArtifact enableWorkflows ' +
  'disableSkillShellExecution disableWindowsBashCommandSplit allowManagedHooksOnly ' +
  'allowManagedPermissionRulesOnly allowManagedMcpServersOnly disableCommandPluginSources ' +
  'disableSideloadFlags skipWebFetchPreflight feedbackDrafts fastModePerSessionOptIn ' +
  'channelsEnabled skipDangerousModePermissionPrompt disableAutoMode autoContinueAtUsageLimit ' +
  'remoteControlAtStartup isolatePeerMachines autoUploadSessions skipAutoPermissionPrompt ' +
  'useAutoModeDuringPlan disableDeepLinkRegistration strictKnownMarketplaces allowedMarketplaces ' +
  'blockedMarketplaces';

/** What clients before 2.1.300 refuse in addition (measured on 2.1.200). */
const REFUSED_BEFORE: ShapeFields = {
  policyHelper: { fields: { path: 'string' }, needs: 'path' },
  subagentStatusLine: { fields: COMMAND, needs: 'type command' },
  spinnerTipsOverride: { fields: { excludeDefault: 'boolean', tips: { list: 'string' } }, needs: 'tips' },
  extraKnownMarketplaces: { map: { fields: { source: MARKETPLACE_SOURCE }, needs: 'source' } },
};

/**
 * The shape of a setting; `null` if no value of it does harm.
 * @param former use the rules of clients before 2.1.300
 */
export function shapeOf(name: string, value: unknown, former: boolean): Shape | null {
  if (former && Object.hasOwn(REFUSED_BEFORE, name)) return REFUSED_BEFORE[name] ?? null;
  if (!former && value === null && MAY_BE_NULL.split(' ').includes(name)) return null;
  return Object.hasOwn(SCHEMA, name) ? (SCHEMA[name] ?? null) : null;
}

export const isKnown = (name: string): boolean =>
  Object.hasOwn(SCHEMA, name) || `${HARMLESS} ${FORMER}`.split(' ').includes(name);

export const isKnownPermission = (name: string): boolean =>
  [...PERMISSIONS_HARMLESS.split(' '), ...Object.keys(PERMISSIONS)].includes(name);
