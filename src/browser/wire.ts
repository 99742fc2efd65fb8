import type { Readable, Writable } from 'node:stream';
import { WebSocket } from 'ws';
import { PipeMessages } from './pipe-messages.ts';

/** Carries messages to a browser and back. */
export interface Wire {
  /** @param onSent called when it has left us, or never will */
  send(text: string, onSent?: () => void): void;
  /** Hands on what comes, and says when nothing comes any more. Asked once. */
  listen(onMessage: (message: Buffer) => void, onEnd: () => void): void;
  end(): void;
}

/** Longest message that is read, in bytes; a page can provoke one without end. */
const MAX_MESSAGE_LENGTH = 256 * 1024 * 1024;

/** The debugging pipe of a Chromium that we started: messages that end with NUL. It is the only way in, and Chromium ends when it closes. */
export function pipeWire(input: Readable, output: Writable): Wire {
  return {
    send: (text, onSent) => {
      output.write(`${text}\0`, () => onSent?.());
    },
    listen: (onMessage, onEnd) => {
      const messages = new PipeMessages(MAX_MESSAGE_LENGTH);
      input.on('data', (chunk: Buffer) => {
        for (const message of messages.take(chunk)) onMessage(message);
      });
      // A pipe that breaks at the browser's end is no error of its own: what is pending is rejected.
      for (const event of ['close', 'error']) input.on(event, onEnd);
      output.on('error', onEnd);
    },
    end: () => {},
  };
}

/** A wire whose end anybody can wait for. */
export interface SocketWire extends Wire {
  ended: Promise<void>;
}

/**
 * The WebSocket of a browser that is there already.
 * @throws Error when nobody answers there in time.
 */
export async function socketWire(address: string, timeoutMs: number): Promise<SocketWire> {
  const options = { perMessageDeflate: false, maxPayload: MAX_MESSAGE_LENGTH, handshakeTimeout: timeoutMs };
  const socket = new WebSocket(address, options);
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => {
      resolve();
    });
  });
  return {
    ended,
    send: (text, onSent) => {
      socket.send(text, () => onSent?.());
    },
    listen: (onMessage, onEnd) => {
      socket.on('message', (data: Buffer) => {
        try {
          onMessage(data);
        } catch {
          // Whoever speaks otherwise than a browser does is none, and its words are not to end this process.
          socket.terminate();
        }
      });
      socket.on('close', onEnd);
      // Its end is an event of its own.
      socket.on('error', () => {});
    },
    end: () => {
      socket.terminate();
    },
  };
}
