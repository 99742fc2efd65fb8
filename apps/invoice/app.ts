import { defineApp } from 'touchstone';
import { answerCommand, describeCommands } from './api.ts';
import type { Book, Invoice } from './invoice.ts';
import { mcpOf } from './mcp.ts';
import { pagesOf } from './pages.ts';
import { drawnBook, firstBook } from './seed-book.ts';

/**
 * Invoices of a small office. Parameters: `seed` (a number; without one it is the first book), `language` (`es`, or `en`)
 * of the data and of a page that is not asked for another, `decoration: stripped` for a page without NAC3, and `manifest`,
 * a file beside this one that takes the place of `manifest.json`.
 */
export default defineApp((parameters) => {
  const language = parameters['language'] === 'en' ? 'en' : 'es';
  const { seed } = parameters;
  const book = typeof seed === 'number' ? drawnBook(seed, language) : firstBook(language);
  const mcp = mcpOf(book);
  const pages = pagesOf({
    language,
    isDecorated: parameters['decoration'] !== 'stripped',
    manifest: String(parameters['manifest'] ?? 'manifest.json'),
  });
  return {
    state: () => stateOf(book),
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/mcp') return await mcp.fetch(request);
      if (request.method === 'POST' && pathname.startsWith('/api/')) {
        return await answerCommand(book, pathname.slice('/api/'.length), await request.text());
      }
      if (request.method !== 'GET') return new Response('method not allowed', { status: 405 });
      return pathname === '/tools.json' ? Response.json(describeCommands()) : await pages(pathname);
    },
    close: () => mcp.close(),
  };
});

/** Invoices by id and lines by number, so that a contract can name one of them. */
function stateOf({ today, clients, invoices, drafts }: Book) {
  return structuredClone({
    today,
    clients,
    invoices: Object.fromEntries(invoices.map((invoice) => [invoice.id, byLine(invoice)])),
    drafts: Object.fromEntries([...drafts].map(([id, invoice]) => [id, byLine(invoice)])),
  });
}

function byLine({ lines, ...invoice }: Invoice) {
  return { ...invoice, lines: Object.fromEntries(lines.map(({ number, ...line }) => [String(number), line])) };
}
