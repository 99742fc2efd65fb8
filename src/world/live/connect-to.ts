import { WorldError } from '../error.ts';

/** Another place to connect to than the one that an address names. The name stays the same in the request and its TLS. */
export interface ConnectTo {
  /** `host:port` of the address. */
  target: string;
  host: string;
  port: number;
}

/** As curl's `--connect-to` has it: `host:port:other-host:other-port`; an IPv6 address stands in brackets. */
const FORM = /^([^\s:[\]]+):(\d{1,5}):(\[[0-9a-fA-F:.]+\]|[^\s:[\]]+):(\d{1,5})$/;

/** @throws WorldError `cannot_record` when the text is not of that form. */
export function parseConnectTo(text: string): ConnectTo {
  const [, host, port, otherHost, otherPort] = FORM.exec(text) ?? [];
  if (host === undefined || otherHost === undefined || Number(port) > 65_535 || Number(otherPort) > 65_535) {
    const remedy = 'write host:port:other-host:other-port, for example docs.example.com:443:127.0.0.1:8443';
    throw new WorldError('cannot_record', `"${text}" does not say where to connect to`, remedy);
  }
  return { target: `${host}:${port}`, host: otherHost.replace(/^\[|\]$/g, ''), port: Number(otherPort) };
}
