import type { Examples } from './example.ts';

export const LEDGER_EXAMPLES: Examples = {
  log: {
    examples: [
      ['guard log --type write.rejected --since 2h', 'what was refused in the last two hours'],
      ['guard log --path src/a.ts', 'what happened to one file'],
      ['guard log --follow --agent claude-1234', 'what one agent does, as it happens'],
      ['guard log --otlp ledger.jsonl', 'traces and logs for OpenTelemetry'],
    ],
  },
  verify: {
    examples: [
      ['guard verify', 'check every record'],
      ['guard verify --json', 'for a program'],
      ['guard verify --user --fix', 'repair your own ledger'],
    ],
  },
  compact: {
    examples: [
      ['guard compact', 'move old segments to the archive'],
      ['guard compact --all --older-than 168h', 'everything older than a week'],
      ['guard compact --drop-archived 720h', 'delete archived segments older than a month'],
    ],
  },
  explain: {
    examples: [
      ['guard explain event.json', 'what guard would answer, rule by rule'],
      ['guard explain event.json --json', 'for a program'],
      ['guard explain --last', 'why the last write was denied'],
    ],
  },
  simulate: {
    examples: [
      ['guard simulate', 'past sessions in this repository'],
      ['guard simulate --since 30d --html report.html', 'the last month, as a page to share'],
      ['guard simulate ~/transcripts --preset strict --json', 'other transcripts, under another preset'],
    ],
  },
  replay: {
    examples: [
      ['guard replay recordings/', 'run every recording in a directory'],
      ['guard replay session.jsonl --preset strict', 'under another preset'],
      ['guard replay recordings/ --ci --format junit', 'for continuous integration'],
    ],
  },
};
