// node server.mjs <installation> <data folder> <port>
import { storeConfig, vendureIn } from './config.mjs';

const [installed, data, port] = process.argv.slice(2);
const vendure = vendureIn(installed);
const app = await vendure.core.bootstrap(storeConfig(vendure, { data, port: Number(port), synchronize: false }));
await app.get(vendure.core.JobQueueService).start();
