import { WALKS, walkPages } from './walked-pages.ts';

walkPages(WALKS[1]);
