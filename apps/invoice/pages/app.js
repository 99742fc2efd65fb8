import { start } from './actions.js';
import { drawDocument } from './draw.js';
import { drawWith } from './page.js';
import { offerTools } from './webmcp.js';

drawWith(drawDocument);
await start(new URLSearchParams(location.search).get('invoice'));
await offerTools();
