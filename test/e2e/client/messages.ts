/** The parts of the Messages API that the client and a scenario exchange. */

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly is_error?: boolean;
  readonly content?: string | readonly ContentBlock[];
}

/** Images, documents, thinking: ignored. */
export interface OtherBlock {
  readonly type: 'image' | 'document' | 'thinking' | 'redacted_thinking';
}

export type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock | OtherBlock;

export interface Message {
  /** Newer models get hook texts as messages of role `system`. */
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly ContentBlock[];
}

export interface ModelRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly Message[];
  readonly system?: string | readonly TextBlock[];
  readonly tools?: readonly { readonly name: string }[];
}

/** A tool result as the model reads it. */
export interface ToolResult {
  readonly id: string;
  readonly text: string;
  readonly is_error: boolean;
}

export function blocksOf(message: Message): readonly ContentBlock[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
}

export function textsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(blocksOf).flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

export function resultsOf(messages: readonly Message[]): readonly ToolResult[] {
  return messages
    .flatMap(blocksOf)
    .flatMap((block) =>
      block.type === 'tool_result'
        ? [{ id: block.tool_use_id, text: flat(block.content), is_error: block.is_error === true }]
        : [],
    );
}

function flat(content: ToolResultBlock['content']): string {
  if (content === undefined) return '';
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}
