#!/usr/bin/env node
import { endInOrder } from './interruption.ts';
import { main } from './program.ts';
import { allWritten, endQuietlyWithReader } from './streams.ts';

const streams = [process.stdout, process.stderr];
streams.forEach(endQuietlyWithReader);
endInOrder();
const exit = await main(process.argv.slice(2));
await Promise.all(streams.map(allWritten));
// An app of a suite may have left a timer or a socket, which would keep the process alive for ever.
process.exit(exit);
