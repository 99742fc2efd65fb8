/** The NAC3 that this runtime speaks. */
export const NAC_VERSION = '2.3.0';
/** This runtime itself. */
export const RUNTIME_VERSION = 'touchstone-nac3 1.0.0 (NAC3 2.3.0)';
