/**
 * The script that moves a document's or a worker's time, by whole milliseconds. It runs before any of the page's own, changes
 * what a page reads as the date, and leaves timers and durations, so that animations and waits go on.
 *
 * Chromium's virtual time was weighed: it runs timers as fast as it can, or not at all. Playwright's clock belongs to one client,
 * replaces timers and leaves workers out.
 */
export function clockScript(offsetMs: number): string {
  return `(${MOVE_TIME})(${offsetMs})`;
}

/** Proxies of native functions stay native to those who print them, and have the same names, lengths and properties. */
const MOVE_TIME = String.raw`(offset) => {
  const { Date, Intl, Temporal, Reflect, Proxy, WeakMap, Object, Function } = globalThis;
  if (!Reflect.apply(Function.prototype.toString, Date, []).startsWith('function Date(')) return;
  const { now: read, parse } = Date;
  const { apply, construct, getOwnPropertyDescriptor: own, defineProperty } = Reflect;
  const now = () => read() + offset;
  const change = (object, name, part, by) => {
    const found = object && own(object, name);
    if (found) defineProperty(object, name, { ...found, [part]: new Proxy(found[part], { apply: by }) });
  };
  const moved = (get, self) => {
    const at = apply(get, self, []);
    return at === 0 ? 0 : at + offset;
  };

  const Moved = new Proxy(Date, {
    apply: () => new Date(now()).toString(),
    construct: (made, given, as) => construct(made, given.length === 0 ? [now()] : given, as),
  });
  change(Date, 'now', 'value', now);
  defineProperty(Date.prototype, 'constructor', { ...own(Date.prototype, 'constructor'), value: Moved });
  defineProperty(globalThis, 'Date', { ...own(globalThis, 'Date'), value: Moved });

  const atOnce = (print, self, [at = now(), ...rest]) => apply(print, self, [at, ...rest]);
  const printers = new WeakMap();
  change(Intl.DateTimeFormat.prototype, 'formatToParts', 'value', atOnce);
  change(Intl.DateTimeFormat.prototype, 'format', 'get', (get, self) => {
    const print = apply(get, self, []);
    if (!printers.has(print)) printers.set(print, new Proxy(print, { apply: atOnce }));
    return printers.get(print);
  });

  if (Temporal) {
    const { instant, timeZoneId } = Temporal.Now;
    const at = () => instant().add({ milliseconds: offset });
    const zoned = (zone = timeZoneId()) => at().toZonedDateTimeISO(zone);
    change(Temporal.Now, 'instant', 'value', at);
    change(Temporal.Now, 'zonedDateTimeISO', 'value', (_own, _self, given) => zoned(...given));
    for (const kind of ['Date', 'DateTime', 'Time']) {
      change(Temporal.Now, 'plain' + kind + 'ISO', 'value', (_own, _self, given) => zoned(...given)['toPlain' + kind]());
    }
  }

  change(globalThis.Performance?.prototype, 'timeOrigin', 'get', moved);
  const timing = globalThis.PerformanceTiming?.prototype;
  for (const name of timing ? Object.keys(timing) : []) if (own(timing, name).get) change(timing, name, 'get', moved);

  // The browser keeps cookies by its own time.
  change(globalThis.Document?.prototype, 'cookie', 'set', (set, self, [text]) =>
    apply(set, self, [String(text).replace(/(;\s*expires\s*=)([^;]*)/i, (whole, name, at) => {
      const ends = parse(at);
      return ends === ends ? name + new Date(ends - offset).toUTCString() : whole;
    })]));
}`;
