/** The required shape of the file about one agent's work on a task. */
import { firstWrong, isFields, isMissingValue, isNull, isText, isTextOrNull, isTexts, or } from './fields.ts';

const isResult = (value: unknown): boolean =>
  isFields(value) &&
  firstWrong(value, { summary: isText, changes: isTexts, issues: isTexts, questions: isTexts }) === null;

const isRefusedTool = (value: unknown): boolean =>
  isFields(value) && firstWrong(value, { tool: isText, rule: isText, count: Number.isInteger }) === null;

const isNeeds = (value: unknown): boolean =>
  isFields(value) &&
  isTexts(value['questions']) &&
  Array.isArray(value['denials']) &&
  value['denials'].every(isRefusedTool);

export const DISPATCH = {
  agent: isText,
  role: isText,
  drafted_by: isText,
  prompt: isText,
  started: isText,
  ended: isTextOrNull,
  status: isTextOrNull,
  reason: isTextOrNull,
  result: or(isNull, isResult),
  last_output: isText,
  changed: or(isNull, isTexts),
  nth: or(isMissingValue, Number.isInteger),
  // Older files have none.
  needs: or(isMissingValue, isNull, isNeeds),
};
