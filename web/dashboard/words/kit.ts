import { dictionary } from './dictionary.ts'

/** What the components of the kit say. */
export const kitWords = dictionary({
  close: ['Fechar', 'Close', 'Cerrar'],
  cancel: ['Voltar', 'Back', 'Volver'],
  copied: ['Copiado', 'Copied', 'Copiado'],
  copyFailed: [
    'O navegador não deixou copiar. Selecione o texto e copie.',
    'The browser did not allow copying. Select the text and copy it.',
    'El navegador no permitió copiar. Seleccione el texto y cópielo.',
  ],
  copyOf: (what: string) => [`Copiar ${what}`, `Copy ${what}`, `Copiar ${what}`],
  shownOnce: [
    'Copie e guarde agora: não aparece outra vez.',
    'Copy it and keep it now: it is not shown again.',
    'Cópielo y guárdelo ahora: no se muestra otra vez.',
  ],
  kept: ['Já guardei', 'I kept it', 'Ya lo guardé'],
  loading: ['Carregando', 'Loading', 'Cargando'],
  more: ['Mostrar mais', 'Show more', 'Mostrar más'],
  goOn: ['Procurar mais para trás', 'Look further back', 'Buscar más atrás'],
  allShown: (count: string) => [`${count} no total`, `${count} in all`, `${count} en total`],
  newRows: (count: string) => [`${count} novos. Mostrar`, `${count} new. Show`, `${count} nuevos. Mostrar`],
  filters: ['Filtros', 'Filters', 'Filtros'],
  clear: ['Limpar filtros', 'Clear filters', 'Quitar filtros'],
  any: ['Todos', 'All', 'Todos'],
  showTable: ['Ver como tabela', 'See as a table', 'Ver como tabla'],
  day: ['Dia', 'Day', 'Día'],
  value: ['Valor', 'Value', 'Valor'],
  chartHelp: [
    'Use as setas para percorrer os pontos.',
    'Use the arrow keys to walk through the points.',
    'Use las flechas para recorrer los puntos.',
  ],
})
