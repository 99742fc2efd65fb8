import type { Readable, Writable } from 'node:stream';
import { WebSocket } from 'ws';
import { MessageStream } from '../contract/message-stream.ts';

/** What carries messages to a browser and back. */
export interface Wire {
  send(text: string): void;
  /** Hands on what comes, and says when nothing comes any more. Asked once. */
  listen(onMessage: (text: string) => void, onEnd: () => void): void;
  end(): void;
}

/** Longest message that is read, in UTF-16 code units or bytes; a page can provoke one without end. */
const MAX_MESSAGE_LENGTH = 256 * 1024 * 1024;

/** The debugging pipe of a Chromium that we started: messages that end with NUL. It is ours alone, and Chromium ends when it closes. */
export function pipeWire(input: Readable, output: Writable): Wire {
  return {
    send: (text) => {
      output.write(`${text}\0`);
    },
    listen: (onMessage, onEnd) => {
      const messages = new MessageStream('\0', MAX_MESSAGE_LENGTH);
      let hasEnded = false;
      const end = (): void => {
        hasEnded = true;
        onEnd();
      };
      input.on('data', (chunk: Buffer) => {
        if (hasEnded) return;
        const whole = messages.take(chunk);
        if (whole === null) end();
        for (const message of whole ?? []) onMessage(message);
      });
      // A pipe that breaks at the browser's end is no error of its own: what is pending is rejected.
      for (const event of ['close', 'error']) input.on(event, end);
      output.on('error', end);
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
    send: (text) => {
      socket.send(text);
    },
    listen: (onMessage, onEnd) => {
      socket.on('message', (data: Buffer) => {
        onMessage(data.toString('utf8'));
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
