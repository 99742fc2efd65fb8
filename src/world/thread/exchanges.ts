import type { NamedExchange, OpenExchange } from '../../fault/ports.ts';
import type { ExchangeAct, FromWorlds, WorldReply, ResponseToSend, ToWorlds } from './messages.ts';

/** An exchange that a fault of the main thread deals with. */
interface Dealt {
  open: OpenExchange;
  /** The app's responses, by the numbers that the main thread has for them. */
  responses: Response[];
  sendRest: () => void;
  wake: AbortController;
  end: (outcome: { passes: boolean; problem: string | null }) => void;
}

/** Lets faults of the main thread deal with requests of this one. */
export class Exchanges {
  readonly #tell: (message: FromWorlds) => void;
  readonly #dealt = new Map<number, Dealt>();
  #last = 0;

  constructor(tell: (message: FromWorlds) => void) {
    this.#tell = tell;
  }

  /** Asks the main thread to deal with an exchange. @throws Error when that fails. */
  async deal(world: number, named: NamedExchange, open: OpenExchange): Promise<void> {
    this.#last += 1;
    const exchange = this.#last;
    const outcome = await new Promise<{ passes: boolean; problem: string | null }>((end) => {
      this.#dealt.set(exchange, { open, responses: [], sendRest: () => {}, wake: new AbortController(), end });
      this.#tell({ kind: 'named', world, exchange, named });
    });
    this.#dealt.delete(exchange);
    if (outcome.problem !== null) throw new Error(outcome.problem);
    if (outcome.passes) await open.send(await open.ask());
  }

  take(message: Exclude<ToWorlds, { kind: 'asked' }>): void {
    const dealt = this.#dealt.get(message.exchange);
    if (message.kind === 'dealt') dealt?.end(message);
    else dealt?.wake.abort();
  }

  async act(exchange: number, act: ExchangeAct): Promise<WorldReply> {
    const dealt = this.#dealt.get(exchange);
    if (dealt === undefined) throw new Error('the exchange is over');
    const { open, responses } = dealt;
    switch (act.act) {
      case 'ask':
        return { response: responses.push(await open.ask()) - 1 };
      case 'send':
        await open.send(toSend(act.response, responses));
        break;
      case 'sendInstead':
        await open.sendInstead(toSend(act.response, responses));
        break;
      case 'sendHalf':
        dealt.sendRest = await open.sendHalf(toSend(act.response, responses));
        break;
      case 'sendRest':
        dealt.sendRest();
        break;
      case 'pause':
        await open.pause(act.ms, dealt.wake.signal);
        break;
      case 'hangUp':
        open.hangUp();
        break;
      case 'reset':
        open.reset();
        break;
    }
    return {};
  }
}

function toSend(response: ResponseToSend, responses: readonly Response[]): Response {
  if (!('asked' in response)) {
    const { status, headers, body } = response;
    return new Response(body.byteLength === 0 ? null : body, { status, headers });
  }
  const asked = responses[response.asked];
  if (asked === undefined) throw new Error('the app was not asked');
  return asked;
}
