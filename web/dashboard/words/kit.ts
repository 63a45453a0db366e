import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** What the components of the kit say. */
export const kitWords = dictionary({
  close: ['Fechar', 'Close', 'Cerrar'],
  cancel: ['Voltar', 'Back', 'Volver'],
  copied: ['Copiado', 'Copied', 'Copiado'],
  copyFailed: [
    'O navegador não permitiu copiar. Selecione o texto e copie.',
    'The browser did not allow copying. Select the text and copy it.',
    'El navegador no permitió copiar. Seleccione el texto y cópielo.',
  ],
  copyOf: (what: string) => [`Copiar ${what}`, `Copy ${what}`, `Copiar ${what}`],
  shownOnce: [
    'Copie e guarde agora: não será mostrado de novo.',
    'Copy and store it now: it won’t be shown again.',
    'Cópielo y guárdelo ahora: no se mostrará otra vez.',
  ],
  kept: commonWords.done,
  loading: ['Carregando', 'Loading', 'Cargando'],
  more: ['Mostrar mais', 'Show more', 'Mostrar más'],
  goOn: ['Buscar em datas anteriores', 'Search further back', 'Buscar en fechas anteriores'],
  allShown: (count: string) => [`${count} no total`, `${count} total`, `${count} en total`],
  newRows: (count: string) =>
    counted(
      count,
      [`${count} novo. Mostrar`, `${count} new. Show`, `${count} nuevo. Mostrar`],
      [`${count} novos. Mostrar`, `${count} new. Show`, `${count} nuevos. Mostrar`],
    ),
  filters: ['Filtros', 'Filters', 'Filtros'],
  clear: ['Limpar filtros', 'Clear filters', 'Quitar filtros'],
  any: ['Todos', 'All', 'Todos'],
  calendarOf: (what: string) => [`${what}: calendário`, `${what}: calendar`, `${what}: calendario`],
  monthBefore: ['Mês anterior', 'Previous month', 'Mes anterior'],
  monthAfter: ['Próximo mês', 'Next month', 'Mes siguiente'],
  today: commonWords.today,
  dateWrong: (form: string) => [
    `Escreva uma data que existe, na forma ${form}.`,
    `Enter a date that exists, as ${form}.`,
    `Escriba una fecha que exista, con la forma ${form}.`,
  ],
  dateMissing: (form: string) => [
    `Escreva uma data na forma ${form}.`,
    `Enter a date as ${form}.`,
    `Escriba una fecha con la forma ${form}.`,
  ],
  showTable: ['Ver como tabela', 'See as a table', 'Ver como tabla'],
  day: ['Dia', 'Day', 'Día'],
  value: ['Valor', 'Value', 'Valor'],
  chartHelp: [
    'Use as setas para percorrer os pontos.',
    'Use the arrow keys to move through the points.',
    'Use las flechas para recorrer los puntos.',
  ],
})
