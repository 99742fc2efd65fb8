/**
 * What the page shows beside its controls, and an agent may have to decide on: what NAC3 calls its role, and what it is
 * in both languages. What it says is the page's own text.
 */
export const TEXTS = {
  'page.message': { role: 'feedback', es: 'Mensaje', en: 'Message' },
  'list.empty': { role: 'region', es: 'Sin facturas', en: 'No invoices' },
  'list.client.{invoice}': { role: 'region', es: 'Cliente de {invoice}', en: 'Client of {invoice}' },
  'list.date.{invoice}': { role: 'region', es: 'Fecha de {invoice}', en: 'Date of {invoice}' },
  'list.total.{invoice}': { role: 'region', es: 'Total de {invoice}', en: 'Total of {invoice}' },
  'list.status.{invoice}': { role: 'region', es: 'Estado de {invoice}', en: 'Status of {invoice}' },
  'list.unsaved.{invoice}': { role: 'region', es: 'Cambios de {invoice}', en: 'Changes of {invoice}' },
  'cancel.text': { role: 'region', es: 'Qué se cancela', en: 'What is cancelled' },
  'invoice.number': { role: 'region', es: 'Factura abierta', en: 'Open invoice' },
  'invoice.client': { role: 'region', es: 'Cliente de la factura', en: 'Client of the invoice' },
  'invoice.status': { role: 'region', es: 'Estado de la factura', en: 'Status of the invoice' },
  'invoice.unsaved': { role: 'region', es: 'Cambios de la factura', en: 'Changes of the invoice' },
  'invoice.total': { role: 'region', es: 'Total de la factura', en: 'Total of the invoice' },
  'invoice.closed': { role: 'region', es: 'Factura cerrada', en: 'Closed invoice' },
  'invoice.no_lines': { role: 'region', es: 'Sin líneas', en: 'No lines' },
  'line.corrected.{line}': { role: 'region', es: 'Corrección de la línea {line}', en: 'Correction of line {line}' },
  'line.total.{line}': { role: 'region', es: 'Total de la línea {line}', en: 'Total of line {line}' },
};
