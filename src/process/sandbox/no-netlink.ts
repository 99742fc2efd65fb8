/** An instruction of the kernel's packet filter, as `struct sock_filter` has it. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const [LOAD, EQUALS, RETURN] = [0x20, 0x15, 0x06];
/** Where `struct seccomp_data` has them. */
const [NUMBER, ARCHITECTURE, FIRST_ARGUMENT] = [0, 4, 16];
const AF_NETLINK = 16;
const ALLOW = 0x7fff_0000;
const FAIL_WITH_EAFNOSUPPORT = 0x0005_0000 | 97;

/** The names that the kernel has for a processor and its system call `socket`. */
const SOCKET: Partial<Record<NodeJS.Architecture, readonly [architecture: number, number: number]>> = {
  x64: [0xc000_003e, 41],
  arm64: [0xc000_00b7, 198],
};

/**
 * A seccomp filter that refuses netlink sockets, for Bubblewrap. Chromium asks one whether it is online: in an empty network the
 * answer would be no, which pages see. Without an answer it takes itself to be online. Null where the processor is not known.
 */
export function noNetlink(processor: NodeJS.Architecture = process.arch): Buffer | null {
  const named = SOCKET[processor];
  if (named === undefined) return null;
  const [architecture, socket] = named;
  const program: readonly Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [EQUALS, 0, 5, architecture],
    [LOAD, 0, 0, NUMBER],
    [EQUALS, 0, 3, socket],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [EQUALS, 0, 1, AF_NETLINK],
    [RETURN, 0, 0, FAIL_WITH_EAFNOSUPPORT],
    [RETURN, 0, 0, ALLOW],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  }
  return bytes;
}
