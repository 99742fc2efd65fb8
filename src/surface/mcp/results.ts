import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';

/** A part of a reply, as far as it is read. */
export type ReplyPart =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string }
  | { type: 'resource_link'; name: string; uri: string }
  | { type: 'resource'; resource: { uri: string; text?: string } };

export interface CallResult {
  content?: ReplyPart[];
  isError?: boolean;
}

interface ToolsResult {
  tools: { name: string; description?: string; inputSchema: JsonObject }[];
  nextCursor?: string;
}

/**
 * What a server returns is checked as a whole: either it has the shape that is read, or one problem is reported. A schema that
 * names each wrong part of a list takes a second for every few thousand of them, in which no other episode goes on.
 */
export const CallResult = z.custom<CallResult>(
  (value) => isObject(value) && isOptional(value['isError'], 'boolean') && isListOf(value['content'] ?? [], isPart),
  'not a reply',
);

export const ToolsResult = z.custom<ToolsResult>(
  (value) => isObject(value) && isOptional(value['nextCursor'], 'string') && isListOf(value['tools'], isTool),
  'not a list of tools',
);

function isPart(part: Record<string, unknown>): boolean {
  switch (part['type']) {
    case 'text':
      return typeof part['text'] === 'string';
    case 'image':
    case 'audio':
      return typeof part['data'] === 'string';
    case 'resource_link':
      return typeof part['name'] === 'string' && typeof part['uri'] === 'string';
    case 'resource':
      return isResource(part['resource']);
    default:
      return false;
  }
}

function isResource(resource: unknown): boolean {
  return isObject(resource) && typeof resource['uri'] === 'string' && isOptional(resource['text'], 'string');
}

function isTool({ name, description, inputSchema }: Record<string, unknown>): boolean {
  return typeof name === 'string' && isOptional(description, 'string') && isJsonObject(inputSchema);
}

function isListOf(value: unknown, isItem: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((item: unknown) => isObject(item) && isItem(item));
}

function isOptional(value: unknown, type: 'boolean' | 'string'): boolean {
  return value === undefined || typeof value === type;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
