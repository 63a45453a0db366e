import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** Batches of withdrawals, and payout schedules. */
export const payoutWords = dictionary({
  batch: ['Lote', 'Batch', 'Lote'],
  batches: ['Lotes', 'Batches', 'Lotes'],
  batchOf: (count: string) =>
    counted(
      count,
      [`Lote de ${count} saque`, `Batch of ${count} withdrawal`, `Lote de ${count} retiro`],
      [`Lote de ${count} saques`, `Batch of ${count} withdrawals`, `Lote de ${count} retiros`],
    ),
  batchId: ['ID do lote', 'batch ID', 'ID del lote'],
  batchCreate: ['Novo lote', 'New batch', 'Nuevo lote'],
  batchNone: ['Nenhum lote ainda', 'No batches yet', 'Aún no hay lotes'],
  batchNoneLead: [
    'Envie uma tabela CSV com até 1.000 saques. Todos são aceitos juntos, ou nenhum.',
    'Send a CSV table with up to 1,000 withdrawals. All are accepted together, or none.',
    'Envíe una tabla CSV con hasta 1.000 retiros. Se aceptan todos juntos, o ninguno.',
  ],
  batchStatus: {
    PENDING_APPROVAL: commonWords.needsApproval,
    IN_PROGRESS: commonWords.underWay,
    ENDED: ['Terminado', 'Ended', 'Terminado'],
  },
  count: commonWords.withdrawals,
  progress: ['Progresso', 'Progress', 'Avance'],
  ended: (done: string, all: string) =>
    counted(
      all,
      [`${done} de ${all} terminado`, `${done} of ${all} ended`, `${done} de ${all} terminado`],
      [`${done} de ${all} terminados`, `${done} of ${all} ended`, `${done} de ${all} terminados`],
    ),
  sums: ['Somas', 'Sums', 'Sumas'],
  file: ['Arquivo CSV', 'CSV file', 'Archivo CSV'],
  fileHelp: [
    'A primeira linha tem os nomes das colunas, separadas por vírgula ou por ponto e vírgula. amount é em centavos: 5000 são R$ 50,00; ou amountDecimal, com centavos: 50,00 entre pontos e vírgulas, 50.00 entre vírgulas. Colunas possíveis: type, amount, amountDecimal, currency, pixKey, pixKeyType, cryptoAddress, iban, beneficiary, walletId, description, metadata.…',
    'The first row has the names of the columns, separated by commas or semicolons. amount is in cents: 5000 is R$50.00; or amountDecimal, with cents: 50.00 between commas, 50,00 between semicolons. Possible columns: type, amount, amountDecimal, currency, pixKey, pixKeyType, cryptoAddress, iban, beneficiary, walletId, description, metadata.…',
    'La primera línea tiene los nombres de las columnas, separadas por coma o por punto y coma. amount es en centavos: 5000 son R$ 50,00; o amountDecimal, con centavos: 50,00 entre puntos y comas, 50.00 entre comas. Columnas posibles: type, amount, amountDecimal, currency, pixKey, pixKeyType, cryptoAddress, iban, beneficiary, walletId, description, metadata.…',
  ],
  fileExample: ['Exemplo', 'Example', 'Ejemplo'],
  fileWrong: [
    'O arquivo não é uma tabela CSV em UTF-8 com uma linha de nomes.',
    'The file is not a UTF-8 CSV table with a header row.',
    'El archivo no es una tabla CSV en UTF-8 con una línea de nombres.',
  ],
  fileEmpty: [
    'O arquivo não tem nenhum saque.',
    'The file has no withdrawals.',
    'El archivo no tiene ningún retiro.',
  ],
  fileMany: [
    'Um lote tem até 1.000 saques. Divida o arquivo.',
    'A batch has up to 1,000 withdrawals. Split the file.',
    'Un lote tiene hasta 1.000 retiros. Divida el archivo.',
  ],
  fileTwice: (name: string) => [
    `A coluna ${name} aparece duas vezes.`,
    `The column ${name} appears twice.`,
    `La columna ${name} aparece dos veces.`,
  ],
  preview: (shown: string, all: string) =>
    counted(
      all,
      [
        `A única linha (${shown} de ${all})`,
        `The only row (${shown} of ${all})`,
        `La única línea (${shown} de ${all})`,
      ],
      [
        `As primeiras ${shown} de ${all} linhas`,
        `The first ${shown} of ${all} rows`,
        `Las primeras ${shown} de ${all} líneas`,
      ],
    ),
  batchReview: ['Confira o lote', 'Review the batch', 'Revise el lote'],
  batchDo: (count: string) =>
    counted(
      count,
      [`Solicitar ${count} saque`, `Request ${count} withdrawal`, `Solicitar ${count} retiro`],
      [`Solicitar ${count} saques`, `Request ${count} withdrawals`, `Solicitar ${count} retiros`],
    ),
  batchDone: (count: string) =>
    counted(
      count,
      [
        `Lote com ${count} saque solicitado.`,
        `Batch of ${count} withdrawal requested.`,
        `Lote con ${count} retiro solicitado.`,
      ],
      [
        `Lote com ${count} saques solicitado.`,
        `Batch of ${count} withdrawals requested.`,
        `Lote con ${count} retiros solicitado.`,
      ],
    ),
  faults: [
    'Nada foi solicitado. Corrija estas linhas e envie o arquivo de novo:',
    'Nothing was requested. Correct these rows and upload the file again:',
    'No se solicitó nada. Corrija estas líneas y envíe el archivo de nuevo:',
  ],
  faultRow: (row: string, field: string) => [
    `Linha ${row}, ${field}`,
    `Row ${row}, ${field}`,
    `Línea ${row}, ${field}`,
  ],
  moreFaults: (count: string) => [`e mais ${count}`, `and ${count} more`, `y ${count} más`],
  approveBatch: (count: string) =>
    counted(
      count,
      [
        `Aprovar ${count} saque do lote?`,
        `Approve ${count} withdrawal of the batch?`,
        `¿Aprobar ${count} retiro del lote?`,
      ],
      [
        `Aprovar os ${count} saques do lote?`,
        `Approve the ${count} withdrawals of the batch?`,
        `¿Aprobar los ${count} retiros del lote?`,
      ],
    ),
  rejectBatch: (count: string) =>
    counted(
      count,
      [
        `Recusar ${count} saque do lote?`,
        `Reject ${count} withdrawal of the batch?`,
        `¿Rechazar ${count} retiro del lote?`,
      ],
      [
        `Recusar os ${count} saques do lote?`,
        `Reject the ${count} withdrawals of the batch?`,
        `¿Rechazar los ${count} retiros del lote?`,
      ],
    ),
  cancelBatch: [
    'Cancelar o que não foi enviado?',
    'Cancel what has not been sent?',
    '¿Cancelar lo que aún no se envió?',
  ],
  cancelBatchLead: [
    'O que já foi enviado continua. O resto é cancelado e volta para as carteiras.',
    'What was sent goes ahead. The rest is canceled and returns to the wallets.',
    'Lo enviado continúa. El resto se cancela y vuelve a las billeteras.',
  ],
  approveBatchDone: ['Lote aprovado.', 'Batch approved.', 'Lote aprobado.'],
  rejectBatchDone: [
    'Lote recusado. Os valores voltaram para as carteiras.',
    'Batch rejected. The money is back in the wallets.',
    'Lote rechazado. El dinero está de nuevo en las billeteras.',
  ],
  cancelBatchDone: [
    'O que não foi enviado foi cancelado.',
    'What had not been sent was canceled.',
    'Lo que no se envió fue cancelado.',
  ],
  cancelBatchDo: ['Cancelar o resto', 'Cancel the rest', 'Cancelar el resto'],
  batchWaits: [
    'Este lote aguarda a decisão de outra pessoa.',
    'This batch is waiting for another person’s decision.',
    'Este lote espera la decisión de otra persona.',
  ],
  schedules: ['Programados', 'Scheduled', 'Programados'],
  scheduleCreate: ['Programar saque', 'New schedule', 'Programar retiro'],
  scheduleLead: [
    'A carteira paga sozinha, para um destino que o operador pôs na lista da conta. O que você decidir manter fica nela.',
    'The wallet pays out by itself, to a destination that the operator has put on the account’s list. What you decide to keep stays in it.',
    'La billetera paga sola, a un destino que el operador puso en la lista de la cuenta. Lo que usted decida mantener queda en ella.',
  ],
  scheduleNone: ['Nenhum saque programado', 'No payout schedules', 'Ningún retiro programado'],
  scheduleNoneLead: [
    'Faça uma carteira pagar sozinha: por dia, por semana ou acima de um valor. O destino precisa estar na lista da conta, e só o operador o põe lá.',
    'Let a wallet pay out by itself: daily, weekly or above an amount. Its destination must be on the account’s list, and only the operator puts it there.',
    'Haga que una billetera pague sola: por día, por semana o por encima de un importe. El destino debe estar en la lista de la cuenta, y solo el operador lo pone allí.',
  ],
  scheduleStatus: {
    ACTIVE: commonWords.activeMasculine,
    PAUSED: ['Pausado', 'Paused', 'En pausa'],
    ENDED: ['Encerrado', 'Ended', 'Terminado'],
  },
  rhythm: commonWords.when,
  rhythms: {
    DAILY: ['Todo dia', 'Every day', 'Cada día'],
    WEEKLY: ['Toda semana', 'Every week', 'Cada semana'],
    ABOVE: ['Acima de um valor', 'Above an amount', 'Por encima de un importe'],
  },
  weekday: ['Dia da semana', 'Weekday', 'Día de la semana'],
  weekdays: {
    MONDAY: ['Segunda-feira', 'Monday', 'Lunes'],
    TUESDAY: ['Terça-feira', 'Tuesday', 'Martes'],
    WEDNESDAY: ['Quarta-feira', 'Wednesday', 'Miércoles'],
    THURSDAY: ['Quinta-feira', 'Thursday', 'Jueves'],
    FRIDAY: ['Sexta-feira', 'Friday', 'Viernes'],
    SATURDAY: ['Sábado', 'Saturday', 'Sábado'],
    SUNDAY: ['Domingo', 'Sunday', 'Domingo'],
  },
  time: ['Hora', 'Time', 'Hora'],
  timeZone: (zone: string) => [
    `No fuso ${zone}.`,
    `In the time zone ${zone}.`,
    `En la zona horaria ${zone}.`,
  ],
  above: ['Quando o saldo chegar a', 'When the balance reaches', 'Cuando el saldo llegue a'],
  keep: ['Manter na carteira', 'Keep in the wallet', 'Mantener en la billetera'],
  minimum: ['Pagar no mínimo', 'Pay at least', 'Pagar al menos'],
  minimumHelp: [
    'Abaixo disto, espera a próxima vez.',
    'Below this it waits for the next time.',
    'Por debajo de esto espera la próxima vez.',
  ],
  daily: (time: string, zone: string) => [
    `Todo dia às ${time} (${zone})`,
    `Every day at ${time} (${zone})`,
    `Cada día a las ${time} (${zone})`,
  ],
  weekly: (day: string, time: string, zone: string) => [
    `${day} às ${time} (${zone})`,
    `${day} at ${time} (${zone})`,
    `${day} a las ${time} (${zone})`,
  ],
  aboveOf: (amount: string) => [
    `Sempre que houver ${amount} ou mais`,
    `Whenever there is ${amount} or more`,
    `Siempre que haya ${amount} o más`,
  ],
  next: ['Próxima vez', 'Next time', 'Próxima vez'],
  last: ['Última vez', 'Last time', 'Última vez'],
  outcome: {
    REQUESTED: ['Solicitou um saque', 'Requested a withdrawal', 'Solicitó un retiro'],
    NOTHING_TO_PAY: ['Nada a pagar', 'Nothing to pay', 'Nada que pagar'],
    NOT_LISTED: [
      'O destino saiu da lista',
      'The destination is no longer listed',
      'El destino salió de la lista',
    ],
    FROZEN: ['A conta estava bloqueada', 'The account was frozen', 'La cuenta estaba bloqueada'],
    NOT_AVAILABLE: [
      'A forma de envio estava indisponível',
      'The method was not available',
      'El medio no estaba disponible',
    ],
    REFUSED: [
      'A carteira não paga, ou os limites não deixaram nada',
      'The wallet does not pay, or the limits left nothing',
      'La billetera no paga, o los límites no dejaron nada',
    ],
  },
  pause: ['Pausar', 'Pause', 'Pausar'],
  resume: ['Retomar', 'Resume', 'Reanudar'],
  end: ['Encerrar', 'End', 'Terminar'],
  endTitle: [
    'Encerrar este saque programado?',
    'End this payout schedule?',
    '¿Terminar este retiro programado?',
  ],
  endLead: [
    'Ele não paga mais. Os saques que já solicitou continuam.',
    'It will not pay again. The withdrawals it already requested go ahead.',
    'No vuelve a pagar. Los retiros que ya solicitó continúan.',
  ],
  paused: ['Pausado.', 'Paused.', 'En pausa.'],
  resumed: ['Ativo de novo.', 'Active again.', 'Activo de nuevo.'],
  endDone: ['Encerrado.', 'Ended.', 'Terminado.'],
  scheduleDo: ['Programar', 'Create schedule', 'Programar'],
  scheduleDone: ['Saque programado.', 'Payout schedule created.', 'Retiro programado.'],
  amountAny: [
    'Digite um valor, como 50,00.',
    'Enter an amount, such as 50.00.',
    'Escriba un importe, como 50,00.',
  ],
  seeWithdrawal: ['Ver saque', 'View withdrawal', 'Ver retiro'],
})
