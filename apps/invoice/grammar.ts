type Correction = readonly [wrong: string, right: string];

/** Descriptions with mistakes in them, and what the correction makes of each. It knows no others. */
export const CORRECTIONS: Record<'es' | 'en', readonly Correction[]> = {
  es: [
    ['Monitor LED 24 pulgdas con soporte hajustable', 'Monitor LED 24 pulgadas con soporte ajustable'],
    ['Silla herogonomica para oficina', 'Silla ergonómica para oficina'],
    ['Instalasion de red en planta baja', 'Instalación de red en planta baja'],
    ['Serbicio de mantenimiento mensual', 'Servicio de mantenimiento mensual'],
    ['Capasitacion del personal nuevo', 'Capacitación del personal nuevo'],
    ['Licensia anual de software contable', 'Licencia anual de software contable'],
    ['Inpresora laser doble faz', 'Impresora láser doble faz'],
    ['Escritorio de madera maziza', 'Escritorio de madera maciza'],
  ],
  en: [
    ['Adjustible stand for 24 inch monitor', 'Adjustable stand for 24 inch monitor'],
    ['Ergonomic ofice chair', 'Ergonomic office chair'],
    ['Instalation of network sockets', 'Installation of network sockets'],
    ['Monthly maintainance contract', 'Monthly maintenance contract'],
    ['Traning for new staff', 'Training for new staff'],
    ['Yearly acounting software licence', 'Yearly accounting software licence'],
    ['Double-sided lazer printer', 'Double-sided laser printer'],
    ['Solid wooden writting desk', 'Solid wooden writing desk'],
  ],
};

const TABLE = new Map([...CORRECTIONS.es, ...CORRECTIONS.en]);

/** The text without its mistakes; as it is, when none are known. */
export function corrected(text: string): string {
  return TABLE.get(text) ?? text;
}
