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
  csvLead: [
    'Números longos, como CPF e CNPJ, ficam como texto. Os horários seguem o seu fuso.',
    'Long numbers, such as tax IDs, stay text. Times are in your time zone.',
    'Los números largos, como los de identificación fiscal, quedan como texto. Las horas están en su zona horaria.',
  ],
  csvFormat: ['Formato', 'Format', 'Formato'],
  csvFormats: {
    semicolon: [
      'Planilha com vírgula decimal',
      'Spreadsheet with decimal comma',
      'Hoja de cálculo con coma decimal',
    ],
    comma: [
      'Planilha com ponto decimal',
      'Spreadsheet with decimal point',
      'Hoja de cálculo con punto decimal',
    ],
    plain: ['Para programas', 'For programs', 'Para programas'],
  },
  csvFormatHelp: {
    semicolon: [
      'Excel em português: colunas separadas por ;, valores como 1234,56',
      'Excel in Portuguese or Spanish: columns separated by ;, amounts as 1234,56',
      'Excel en español: columnas separadas por ;, importes como 1234,56',
    ],
    comma: [
      'Excel em inglês: colunas separadas por vírgula, valores como 1234.56',
      'Excel in English: columns separated by a comma, amounts as 1234.56',
      'Excel en inglés: columnas separadas por coma, importes como 1234.56',
    ],
    plain: [
      'Separado por vírgula, com horários ISO 8601 em UTC, como na API',
      'Separated by commas, with ISO 8601 times in UTC, as in the API',
      'Separado por comas, con horas ISO 8601 en UTC, como en la API',
    ],
  },
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
