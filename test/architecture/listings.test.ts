/**
 * Calls whose cost grows with the agents or paths in a ledger. A rule finds what it needs by key, or lists its own
 * entries; each place that lists a whole class is named here, its bound in docs/decisions/224-what-lists-everything.md.
 */
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { filesIn, textOf, treeOf } from './sources.ts';

const CORE = filesIn('src/core', /\.ts$/);

/** A third argument other than 0 is a bound. */
const isUnbounded = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) &&
  /(?:^|\.)range$/.test(node.expression.getText()) &&
  (node.arguments[2]?.getText() ?? '0') === '0';

const calls =
  (names: ReadonlySet<string>) =>
  (node: ts.Node): node is ts.CallExpression =>
    ts.isCallExpression(node) && ts.isIdentifier(node.expression) && names.has(node.expression.text);

/** `file#function`, followed by what `say` returns for each matching call, in order and without repetition. */
function placesIn(
  paths: readonly string[],
  isMeant: (node: ts.Node) => node is ts.CallExpression,
  say: (call: ts.CallExpression) => string,
): string[] {
  const found = new Set<string>();
  for (const path of paths)
    for (const statement of treeOf(path).statements) {
      const visit = (node: ts.Node): void => {
        if (isMeant(node)) found.add(`${path.replace('src/core/', '')}#${nameOf(statement)} ${say(node)}`);
        ts.forEachChild(node, visit);
      };
      visit(statement);
    }
  return [...found].sort();
}

function nameOf(statement: ts.Statement): string {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText()).join();
  return ts.isFunctionDeclaration(statement) ? (statement.name?.text ?? '') : '';
}

const listed = (call: ts.CallExpression): string => call.arguments[0]?.getText() ?? '';

/** The first argument is the class listed. `below`: keys of one agent or machine in beat.ts and held-paths.ts. */
const DIRECTLY: readonly string[] = [
  'called.ts#everybodysNames AGENTS',
  'drafts.ts#draftsIn DRAFTS',
  'glance.ts#waitersOn WAITS',
  'leases.ts#leasesNow PATHS',
  'living.ts#aliveIn AGENTS',
  'paths-at.ts#pathsMet PATHS',
  'profiles.ts#leftOf PROFILES',
  'profiles.ts#profilesIn PROFILES',
  'report.ts#statusOf PATHS',
  'rules/beat.ts#endAgents below',
  'rules/command-view.ts#wide AGENTS',
  'rules/command-view.ts#wide GLOBS',
  'rules/command-view.ts#wide PATHS',
  'rules/forget-reserved.ts#forgottenReservers GLOBS',
  'rules/held-paths.ts#indexKeys AGENTS',
  'rules/held-paths.ts#indexKeys PATHS',
  'rules/held-paths.ts#pathsHeldBy PATHS',
  'rules/held-paths.ts#pathsHeldBy below',
  'rules/message.ts#receivers AGENTS',
  "rules/places-anew.ts#placesAnew 'begins:'",
  "rules/places-anew.ts#placesAnew 'below:'",
  'rules/places-anew.ts#placesAnew GLOBS',
  'rules/profile.ts#listAgents AGENTS',
  'rules/profile.ts#namesakes PROFILES',
  "rules/removed-worktree.ts#removedWorktree PATHS + pathIn(worktree, '')",
  'rules/reserved.ts#allReservers GLOBS',
  'rules/reserved.ts#allReservers below',
  'rules/scope-change.ts#changeTo PATHS',
  'rules/victim.ts#BURDENS PATHS',
  'waits-now.ts#waitsAmong WAITS',
];

/** Functions that list a whole class on behalf of any caller. */
const LISTING: ReadonlySet<string> = new Set([
  'aliveIn',
  'allReservers',
  'allReserved',
  'draftsIn',
  'everybodysNames',
  'leasesNow',
  'leftOf',
  'listAgents',
  'pathsMet',
  'placesAnew',
  'profilesIn',
  'statusOf',
  'waitsAmong',
  'waitsNow',
]);

/** Rules that list by calling one of these functions. */
const BY_CALLS: readonly string[] = [
  'rules/draft-begin.ts#beginDraft draftsIn',
  'rules/draft-end.ts#endOrGoOn draftsIn',
  'rules/draft-next.ts#startNext draftsIn',
  'rules/draft-say.ts#sayTo draftsIn',
  'rules/held-paths.ts#indexAnew placesAnew',
  'rules/message.ts#receivers leftOf',
  'rules/overlap.ts#allReserved allReservers',
  'rules/overlap.ts#reserversOf allReservers',
  'rules/overlap.ts#reserversOver allReservers',
  'rules/paths-meant.ts#pathsMeant pathsMet',
  'rules/profile.ts#holdersIn statusOf',
  'rules/profile.ts#isOthers listAgents',
  'rules/profile.ts#listAgents profilesIn',
  'rules/reservation-report.ts#reservationReports allReserved',
  'rules/reserve.ts#reserve allReservers',
  'rules/reserved-index.ts#sweep allReservers',
  'rules/reserved.ts#candidates allReservers',
  'rules/scope-change.ts#changeTo aliveIn',
  'rules/scope-change.ts#endReserved allReserved',
  'rules/standing.ts#reservedNow allReserved',
  'rules/unreserve.ts#unreserve allReserved',
];

describe('what lists a whole class of keys', () => {
  it('stands here, place by place', () => {
    const places = placesIn(
      CORE.filter((path) => textOf(path).includes('range')),
      isUnbounded,
      listed,
    );
    expect(places).toEqual(DIRECTLY);
  });

  it('is called by these rules and no others', () => {
    const rules = CORE.filter((path) => path.startsWith('src/core/rules/'));
    const places = placesIn(rules, calls(LISTING), (call) => call.expression.getText());
    expect(places).toEqual(BY_CALLS);
  });
});
