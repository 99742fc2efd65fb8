import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { SandboxLaunch } from '../../process/sandbox/launch.ts';
import type { ToolReply } from '../../task/tool.ts';

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FILES = 8;

/**
 * A server's answer for an agent. Some servers write to a file and reply with a link: text files below their own folder are appended, since the
 * agent has no other way to them.
 */
export async function replyOf(
  { content, isError }: CallToolResult,
  home: SandboxLaunch['home'] | null,
): Promise<ToolReply> {
  const text = content.map(textOf).join('\n');
  const files = home === null ? [] : await Promise.all(linkedFiles(text).map((link) => readBelow(home, link)));
  const followed = files.flatMap((file) => (file === null ? [] : [`### File ${file.link}\n${file.text}`]));
  const ok = isError !== true;
  return { ok, kind: ok ? 'text' : 'error', text: [text, ...followed].join('\n') };
}

function textOf(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return `[${part.type} of ${Buffer.byteLength(part.data, 'base64')} bytes]`;
    case 'resource_link':
      return `[${part.name}](${part.uri})`;
    case 'resource':
      return 'text' in part.resource ? part.resource.text : `[resource ${part.resource.uri}]`;
  }
}

/** The targets of Markdown links without a protocol. */
function linkedFiles(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, link = '']) => (link.includes(':') ? [] : [link]));
  return [...new Set(links)].slice(0, MAX_FILES);
}

/** Null for a file that is not below the folder, or cannot be read. */
async function readBelow(home: SandboxLaunch['home'], link: string): Promise<{ link: string; text: string } | null> {
  try {
    const root = await realpath(home.here);
    const place = await realpath(path.resolve(root, path.relative(home.inside, path.resolve(home.inside, link))));
    if (!place.startsWith(root + path.sep)) return null;
    const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await isBelow(root, file, place))) return null;
      const stat = await file.stat();
      if (!stat.isFile()) return null;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_FILE_BYTES));
      return { link, text: textIn(buffer.subarray(0, bytesRead)) ?? `[file of ${stat.size} bytes]` };
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

/** By the open file, whose path a server may have redirected since it was checked. Only Linux can tell. */
async function isBelow(root: string, { fd }: FileHandle, place: string): Promise<boolean> {
  const opened = process.platform === 'linux' ? await readlink(`/proc/self/fd/${fd}`) : await realpath(place);
  return opened.startsWith(root + path.sep);
}

function textIn(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    // The cut may be inside a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
