/** A page of a report without its style and script, an element a line. */
export function readablePage(page: string): string {
  return page
    .replaceAll(/<(style|script)>[^]*?<\/\1>/g, '<$1></$1>')
    .replaceAll(/'?sha256-[\w+/=]+'?|&#39;sha256-[\w+/=]+&#39;/g, 'sha256')
    .replaceAll(/(?<=>)(?=<(?:tr|td|th|p|li|ul|section|details|table|thead|tbody|div|h[1-3]|dl|svg)\b)/g, '\n');
}
