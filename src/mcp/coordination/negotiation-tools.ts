/** negotiate_release, respond_to_release. */
import { randomUUID } from 'node:crypto';
import { negotiateRelease, respondToRelease } from '../../coordination/negotiation.ts';
import type { ReleaseAnswer, ResponseAnswer } from '../../coordination/negotiation.ts';
import { number, optionalText, text } from './shapes.ts';
import { coordinationTool, Refused, required } from './tool.ts';
import type { CoordinationTool } from './tool.ts';

const WAIT_MAX_S = 3_600;

export const NEGOTIATION_TOOLS: readonly CoordinationTool[] = [
  coordinationTool(
    {
      name: 'negotiate_release',
      title: 'Ask for a file',
      description:
        'Asks the agent that holds a file to release it, and waits for its answer if you like. The holder is told at its next ' +
        'step; it may release the file or say when. "timeout" says that nobody answered yet.',
    },
    {
      agent_name: text('Name or ID of the agent that holds the file'),
      file: text('File or pattern you need'),
      reason: text('Why you need it'),
      urgency: optionalText("'normal' (default) or 'urgent'"),
      wait_seconds: number('How long to wait for an answer in seconds (default 0: not at all)'),
    },
    ({ agent_name, file, reason, urgency = 'normal', wait_seconds = 0 }, desk, signal) => {
      const request = {
        agent_name: required('agent_name', agent_name),
        file: required('file', file),
        reason: required('reason', reason),
        thread_id: randomUUID(),
        wait_ms: Math.min(WAIT_MAX_S, Math.max(0, wait_seconds)) * 1000,
      };
      if (urgency !== 'normal' && urgency !== 'urgent')
        throw new Refused("urgency must be 'normal' or 'urgent'");
      return negotiateRelease(desk, { ...request, urgency }, signal);
    },
    ({ status, thread_id }: ReleaseAnswer, { who }) => ({
      event: 'negotiate',
      text: `${who.id} asked for a file: ${status} (${thread_id})`,
    }),
  ),
  coordinationTool(
    {
      name: 'respond_to_release',
      title: 'Answer a request for a file',
      description:
        "Answers a request to release a file: action 'release' ends your locks and reservations on it (a wider reservation as " +
        "a whole) and says what ended; 'defer' says in how many minutes you expect to be done.",
    },
    {
      thread_id: text('Thread of the request'),
      requester: text('Agent ID of the requester'),
      action: text("'release' or 'defer'"),
      file: text('File pattern being negotiated'),
      eta_minutes: number('For defer: minutes until you expect to release it (0 to 60)'),
      reason: optionalText('For defer: why'),
    },
    ({ thread_id, requester, action, file, eta_minutes = 0, reason = '' }, desk) => {
      const asked = {
        thread_id: required('thread_id', thread_id),
        requester: required('requester', requester),
      };
      required('action', action);
      if (action !== 'release' && action !== 'defer')
        throw new Refused("action must be 'release' or 'defer'");
      return respondToRelease(desk, { ...asked, action, file: required('file', file), eta_minutes, reason });
    },
    ({ action, file }: ResponseAnswer, { who }) => ({
      event: action === 'release' ? 'release' : 'negotiate',
      text: `${who.id} answered a request for ${file}: ${action}`,
    }),
  ),
];
