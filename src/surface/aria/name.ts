/** Name of the surface that is taken where none is named. Whoever reads a plan needs no more of it. */
export const ARIA = 'aria';
