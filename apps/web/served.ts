const INVOICES: Readonly<Record<string, string>> = {
  'march.txt': 'Invoice 2207: 1,200 EUR\n',
  'april.txt': 'Invoice 2208: 300 EUR\n',
};

/** The paths of one app that answer otherwise than with a page; null for any other. */
export function served(): (request: Request) => Response | Promise<Response> | null {
  let isBusy = true;
  return (request) => {
    const { pathname } = new URL(request.url);
    const redirect = /^\/redirect\/([1-9])\/(.+)$/.exec(pathname);
    if (redirect !== null) {
      const [, count = '', rest = ''] = redirect;
      const location = count === '1' ? `/${rest}` : `/redirect/${Number(count) - 1}/${rest}`;
      return new Response(null, { status: 302, headers: { location } });
    }
    const [, how, name = ''] = /^\/(files|attachment)\/(.+)$/.exec(pathname) ?? [];
    const invoice = INVOICES[name];
    if (how !== undefined && invoice !== undefined) {
      const kept = how === 'attachment' ? { 'content-disposition': `attachment; filename="${name}"` } : {};
      return new Response(invoice, { headers: { 'content-type': 'text/plain; charset=utf-8', ...kept } });
    }
    switch (pathname) {
      case '/busy-once': {
        const status = isBusy ? 429 : 204;
        isBusy = false;
        return new Response(null, { status, headers: { 'retry-after': '1' } });
      }
      case '/slow':
        return after(2_000, () => new Response(null, { status: 204 }));
      case '/never':
        return new Promise<Response>(() => {});
      case '/events':
        return new Response(events(), { headers: { 'content-type': 'text/event-stream' } });
      default:
        return null;
    }
  };
}

function after(ms: number, make: () => Response): Promise<Response> {
  return new Promise((resolve) => setTimeout(() => resolve(make()), ms));
}

/** One event after 800 ms, on a stream that stays open. */
function events(): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout;
  return new ReadableStream({
    start: (controller) => {
      timer = setTimeout(() => controller.enqueue(new TextEncoder().encode('data: An offer of 20 EUR\n\n')), 800);
    },
    cancel: () => clearTimeout(timer),
  });
}
