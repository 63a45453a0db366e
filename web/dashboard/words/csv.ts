import { dictionary } from './dictionary.ts'

/** Of the button that makes a CSV file of a list. */
export const csvWords = dictionary({
  'pt-BR': {
    csv: 'Baixar CSV',
    csvRows: (count: string) => `${count} linhas…`,
    csvStop: 'Parar',
    csvDone: (count: string) => `CSV pronto: ${count} linhas.`,
    csvCut: (count: string) =>
      `CSV pronto com as ${count} linhas mais novas. Escolha um período menor para as outras.`,
  },
  en: {
    csv: 'Download CSV',
    csvRows: (count: string) => `${count} rows…`,
    csvStop: 'Stop',
    csvDone: (count: string) => `The CSV is ready: ${count} rows.`,
    csvCut: (count: string) =>
      `The CSV is ready with the newest ${count} rows. Choose a shorter span for the others.`,
  },
  es: {
    csv: 'Descargar CSV',
    csvRows: (count: string) => `${count} filas…`,
    csvStop: 'Detener',
    csvDone: (count: string) => `El CSV está listo: ${count} filas.`,
    csvCut: (count: string) =>
      `El CSV está listo con las ${count} filas más nuevas. Elija un período menor para las otras.`,
  },
})
