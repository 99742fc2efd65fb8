/** The header by which an app knows the judge: its value is in the app's variable {@link SECRET_VARIABLE}, new at each start. */
export const SECRET_HEADER = 'touchstone-secret';
export const SECRET_VARIABLE = 'TOUCHSTONE_SECRET';

/** Whether a server may take a header for the judge's: CGI and WSGI know no difference between `-` and `_`. */
export function isSecretHeader(name: string): boolean {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-') === SECRET_HEADER;
}
