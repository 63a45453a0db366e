import { dictionary } from './dictionary.ts'

/** Of the button that makes a CSV file of a list. */
export const csvWords = dictionary({
  csvRows: (count: string) => [`${count} linhas…`, `${count} rows…`, `${count} filas…`],
  csvStop: ['Parar', 'Stop', 'Detener'],
  csvDone: (count: string) => [
    `CSV pronto: ${count} linhas.`,
    `The CSV is ready: ${count} rows.`,
    `El CSV está listo: ${count} filas.`,
  ],
  csvCut: (count: string) => [
    `CSV pronto com as ${count} linhas mais recentes. Escolha um período menor para as outras.`,
    `The CSV is ready with the most recent ${count} rows. Choose a shorter period for the others.`,
    `El CSV está listo con las ${count} filas más recientes. Elija un período menor para las otras.`,
  ],
})
