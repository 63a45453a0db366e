import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** Of the button that makes a CSV file of a list. */
export const csvWords = dictionary({
  csvRows: (count: string) =>
    counted(
      count,
      [`${count} linha…`, `${count} row…`, `${count} fila…`],
      [`${count} linhas…`, `${count} rows…`, `${count} filas…`],
    ),
  csvStop: ['Parar', 'Stop', 'Detener'],
  csvDone: (count: string) =>
    counted(
      count,
      [`CSV pronto: ${count} linha.`, `The CSV is ready: ${count} row.`, `El CSV está listo: ${count} fila.`],
      [
        `CSV pronto: ${count} linhas.`,
        `The CSV is ready: ${count} rows.`,
        `El CSV está listo: ${count} filas.`,
      ],
    ),
  csvCut: (count: string) =>
    counted(
      count,
      [
        'CSV pronto com a linha mais recente. Escolha um período menor para as outras.',
        'The CSV is ready with the most recent row. Choose a shorter period for the others.',
        'El CSV está listo con la fila más reciente. Elija un período menor para las otras.',
      ],
      [
        `CSV pronto com as ${count} linhas mais recentes. Escolha um período menor para as outras.`,
        `The CSV is ready with the most recent ${count} rows. Choose a shorter period for the others.`,
        `El CSV está listo con las ${count} filas más recientes. Elija un período menor para las otras.`,
      ],
    ),
})
