import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

export const reportWords = dictionary({
  title: ['Relatórios', 'Reports', 'Informes'],
  titleOf: (month: string) => [`Relatório de ${month}`, `Report for ${month}`, `Informe de ${month}`],
  month: ['Mês', 'Month', 'Mes'],
  before: ['Mês anterior', 'Previous month', 'Mes anterior'],
  after: ['Próximo mês', 'Next month', 'Mes siguiente'],
  wallets: ['Por carteira', 'By wallet', 'Por billetera'],
  lead: (from: string, to: string, zone: string) => [
    `De ${from} até antes de ${to} (${zone}).`,
    `From ${from} to before ${to} (${zone}).`,
    `Del ${from} hasta antes del ${to} (${zone}).`,
  ],
  addsUp: [
    'Cada linha é a soma das linhas do extrato. Saldo inicial mais movimentos dá o saldo final, e as formas de pagamento somam as linhas da carteira.',
    'Each line is the sum of statement lines. Opening balance plus movements makes the closing balance, and the payment methods add up to the wallet.',
    'Cada línea es la suma de líneas del extracto. El saldo inicial más los movimientos da el saldo final, y los medios de pago suman las líneas de la billetera.',
  ],
  line: {
    opening: ['Saldo inicial', 'Opening balance', 'Saldo inicial'],
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
    closing: ['Saldo final', 'Closing balance', 'Saldo final'],
  },
  lines: ['Linha', 'Line', 'Línea'],
  total: (currency: string) => [`Total em ${currency}`, `Total in ${currency}`, `Total en ${currency}`],
  statement: ['Ver no extrato', 'View in statement', 'Ver en el extracto'],
  methodsOf: (wallet: string) => [
    `Por forma de pagamento · ${wallet}`,
    `By payment method · ${wallet}`,
    `Por medio de pago · ${wallet}`,
  ],
  noMethod: ['Sem forma de pagamento', 'No payment method', 'Sin medio de pago'],
  tooMany: [
    'O mês tem mais de 100.000 movimentos: eles não aparecem por forma de pagamento. O extrato em CSV tem todos.',
    'The month has more than 100,000 movements, so they are not shown by method. The statement as CSV has them all.',
    'El mes tiene más de 100.000 movimientos: no se muestran por medio de pago. El extracto en CSV los tiene todos.',
  ],
  none: ['Nenhum movimento neste mês', 'No movements this month', 'Ningún movimiento en este mes'],
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
