import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

export const reportWords = dictionary({
  title: ['Relatórios', 'Reports', 'Informes'],
  titleOf: (month: string) => [`Relatório de ${month}`, `Report of ${month}`, `Informe de ${month}`],
  month: ['Mês', 'Month', 'Mes'],
  before: ['Mês anterior', 'Month before', 'Mes anterior'],
  after: ['Mês seguinte', 'Month after', 'Mes siguiente'],
  wallets: ['Por carteira', 'By wallet', 'Por billetera'],
  lead: (from: string, to: string, zone: string) => [
    `De ${from} até antes de ${to} (${zone}).`,
    `From ${from} to before ${to} (${zone}).`,
    `Del ${from} hasta antes del ${to} (${zone}).`,
  ],
  addsUp: [
    'Cada linha é a soma das linhas do extrato. Abertura mais movimentos dá o fechamento, e os meios somam as linhas da carteira.',
    'Each line is the sum of lines of the statement. Opening plus movements makes the closing, and the methods add up to the wallet.',
    'Cada línea es la suma de líneas del extracto. La apertura más los movimientos da el cierre, y los medios suman las líneas de la billetera.',
  ],
  line: {
    opening: ['Saldo na abertura', 'Opening balance', 'Saldo de apertura'],
    received: ['Recebido (bruto)', 'Received (gross)', 'Recibido (bruto)'],
    fees: commonWords.fees,
    refunds: commonWords.refunds,
    disputes: commonWords.disputes,
    others: ['Dívidas e ajustes', 'Debts and adjustments', 'Deudas y ajustes'],
    net: ['Líquido', 'Net', 'Neto'],
    withdrawals: commonWords.withdrawals,
    transfers: [
      'Transferências entre carteiras',
      'Transfers between wallets',
      'Transferencias entre billeteras',
    ],
    closing: ['Saldo no fechamento', 'Closing balance', 'Saldo de cierre'],
  },
  lines: ['Linha', 'Line', 'Línea'],
  total: (currency: string) => [`Total em ${currency}`, `Total in ${currency}`, `Total en ${currency}`],
  statement: ['Ver no extrato', 'See in the statement', 'Ver en el extracto'],
  methodsOf: (wallet: string) => [`Por meio · ${wallet}`, `By method · ${wallet}`, `Por medio · ${wallet}`],
  noMethod: ['Sem meio', 'Without a method', 'Sin medio'],
  tooMany: [
    'O mês tem mais de 100.000 movimentos: eles não aparecem por meio. O extrato em CSV tem todos.',
    'The month has more than 100,000 movements, so they are not shown by method. The statement as CSV has them all.',
    'El mes tiene más de 100.000 movimientos: no se muestran por medio. El extracto en CSV los tiene todos.',
  ],
  none: ['Nada se moveu neste mês', 'Nothing moved in this month', 'Nada se movió en este mes'],
  noneLead: ['Escolha outro mês.', 'Choose another month.', 'Elija otro mes.'],
  print: ['Imprimir', 'Print', 'Imprimir'],
  quiet: (count: number) =>
    counted(
      count,
      [
        `${count} carteira sem saldo e sem movimento não aparece.`,
        `${count} wallet without balance and movement is left out.`,
        `${count} billetera sin saldo ni movimiento no aparece.`,
      ],
      [
        `${count} carteiras sem saldo e sem movimento não aparecem.`,
        `${count} wallets without balance and movement are left out.`,
        `${count} billeteras sin saldo ni movimiento no aparecen.`,
      ],
    ),
})
