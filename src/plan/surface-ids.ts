/** What the id of a surface says of it, for whoever holds rows to it. */
export { interactionOf } from '../surface/one-shot.ts';
export { OWN } from '../surface/own.ts';
