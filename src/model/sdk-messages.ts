import type { createAnthropic } from '@ai-sdk/anthropic';
import type { CallResult, Message, ReplyPart, ModelPicture } from './conversation.ts';

/** The AI SDK's packages of providers share one interface. */
type SdkMessage = Parameters<ReturnType<ReturnType<typeof createAnthropic>>['doGenerate']>[0]['prompt'][number];

/** The place of a call's picture: in its result, or in a message of the user behind all results. */
export type PicturePlace = 'in_result' | 'behind_results' | 'nowhere';

const LAST_PICTURES = 3;

export function sdkMessages(messages: readonly Message[], place: PicturePlace): SdkMessage[] {
  const all = messages.flatMap(picturesOf);
  const sent = new Set(place === 'nowhere' ? [] : all.slice(-LAST_PICTURES));
  return messages.flatMap((message) => sdkMessage(message, place, sent));
}

function picturesOf(message: Message): ModelPicture[] {
  if (message.from === 'model') return [];
  const holders = message.from === 'user' ? [message] : message.results;
  return holders.flatMap(({ picture }) => picture ?? []);
}

function sdkMessage(message: Message, place: PicturePlace, sent: ReadonlySet<ModelPicture>): SdkMessage[] {
  const pictures = picturesOf(message)
    .filter((picture) => sent.has(picture))
    .map(({ base64 }) => ({ type: 'file', mediaType: 'image/png', data: base64 }) as const);
  switch (message.from) {
    case 'user':
      return [{ role: 'user', content: [{ type: 'text', text: message.text }, ...pictures] }];
    case 'model':
      return [{ role: 'assistant', content: message.parts.map(sdkPart) }];
    case 'tools': {
      const inResult = place === 'in_result' ? sent : new Set<ModelPicture>();
      const results: SdkMessage = {
        role: 'tool',
        content: message.results.map((result) => sdkResult(result, inResult)),
      };
      return place === 'behind_results' && pictures.length > 0
        ? [results, { role: 'user', content: pictures }]
        : [results];
    }
  }
}

function sdkResult({ id, tool, ok, text, picture }: CallResult, sent: ReadonlySet<ModelPicture>) {
  const result = { type: 'tool-result', toolCallId: id, toolName: tool } as const;
  if (picture === undefined || !sent.has(picture)) {
    return { ...result, output: { type: ok ? 'text' : 'error-text', value: text } } as const;
  }
  const shown = { type: 'image-data', mediaType: 'image/png', data: picture.base64 } as const;
  return { ...result, output: { type: 'content' as const, value: [{ type: 'text' as const, text }, shown] } };
}

function sdkPart(part: ReplyPart) {
  const memo = part.memo === undefined ? {} : { providerOptions: part.memo };
  if (part.kind === 'text') return { type: 'text', text: part.text, ...memo } as const;
  if (part.kind === 'thought') return { type: 'reasoning', text: part.text, ...memo } as const;
  const { id, tool, args } = part.call;
  return { type: 'tool-call', toolCallId: id, toolName: tool, input: args, ...memo } as const;
}
