import type { Readable, Writable } from 'node:stream';
import { WebSocket } from 'ws';
import { Budget } from '../process/budget.ts';
import { Paced } from '../process/paced.ts';
import { unhandled } from './error.ts';
import { PipeMessages } from './pipe-messages.ts';

export interface Wire {
  /** @param onSent called when it has left us, or never will */
  send(text: string, onSent?: () => void): void;
  /** Passes on each message, and calls `onEnd` after the last: with the fault for which the wire was cut, or null. Called once. */
  listen(onMessage: (message: Buffer) => void, onEnd: (fault: Error | null) => void): void;
  /** Called by a listener that could not handle this message; null if it can handle none any more. */
  fail(error: unknown, message: Buffer | null): void;
  end(): void;
}

/** Longest message that is read, in bytes; a page can provoke one without end. */
const MAX_MESSAGE_LENGTH = 64 * 1024 * 1024;
/** Most that is read of a browser of ours, in bytes: its pages provoke messages, which must not delay those of others. */
const BUDGET = { perSecond: 32 * 1024 * 1024, burst: 256 * 1024 * 1024 };

/** The debugging pipe of a Chromium that we started: messages that end with NUL. It is the only way in, and Chromium ends when it closes. */
export function pipeWire(input: Readable, output: Writable): Wire {
  return {
    send: (text, onSent) => {
      output.write(`${text}\0`, () => onSent?.());
    },
    listen: (onMessage, onEnd) => {
      const messages = new PipeMessages(MAX_MESSAGE_LENGTH);
      const paced = new Paced(input, new Budget(BUDGET), onMessage);
      input.on('data', (chunk: Buffer) => {
        paced.take(messages.take(chunk), chunk.length);
      });
      // A pipe that breaks at the browser's end is not an error: pending commands are rejected.
      const end = async (): Promise<void> => {
        await paced.idle();
        onEnd(null);
      };
      for (const event of ['close', 'error']) input.on(event, () => void end());
      output.on('error', () => void end());
    },
    // A browser of ours sends only what a browser sends: the error is ours, and nothing may go on after it.
    fail: (error) => {
      throw error;
    },
    end: () => {},
  };
}

export interface SocketWire extends Wire {
  ended: Promise<void>;
}

/** @param shown its address, to be printed */
export async function socketWire(address: string, timeoutMs: number, shown: string): Promise<SocketWire> {
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
  let fault: Error | null = null;
  // A peer that does not speak as a browser does must not end this process.
  const fail = (error: unknown, message: Buffer | null): void => {
    fault ??= unhandled(error, message, shown);
    socket.terminate();
  };
  return {
    ended,
    fail,
    send: (text, onSent) => {
      socket.send(text, () => onSent?.());
    },
    listen: (onMessage, onEnd) => {
      socket.on('message', (data: Buffer) => {
        try {
          onMessage(data);
        } catch (error) {
          fail(error, data);
        }
      });
      socket.on('close', () => {
        onEnd(fault);
      });
      // `close` follows, but does not report data that violates the protocol or exceeds the limit.
      socket.on('error', (error: Error & { code?: string }) => {
        if (error.code?.startsWith('WS_ERR_') === true) fail(error, null);
      });
    },
    end: () => {
      socket.terminate();
    },
  };
}
