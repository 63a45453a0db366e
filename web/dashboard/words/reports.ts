import { dictionary } from './dictionary.ts'

export const reportWords = dictionary({
  'pt-BR': {
    title: 'Relatórios',
    titleOf: (month: string) => `Relatório de ${month}`,
    month: 'Mês',
    before: 'Mês anterior',
    after: 'Mês seguinte',
    wallets: 'Por carteira',
    lead: (from: string, to: string, zone: string) => `De ${from} até antes de ${to} (${zone}).`,
    addsUp:
      'Cada linha é a soma das linhas do extrato. Abertura mais movimentos dá o fechamento, e os meios somam as linhas da carteira.',
    line: {
      opening: 'Saldo na abertura',
      received: 'Recebido (bruto)',
      fees: 'Tarifas',
      refunds: 'Devoluções',
      disputes: 'Disputas',
      others: 'Dívidas e ajustes',
      net: 'Líquido',
      withdrawals: 'Saques',
      transfers: 'Transferências entre carteiras',
      closing: 'Saldo no fechamento',
    },
    lines: 'Linha',
    amount: 'Valor',
    total: (currency: string) => `Total em ${currency}`,
    statement: 'Ver no extrato',
    methodsOf: (wallet: string) => `Por meio · ${wallet}`,
    noMethod: 'Sem meio',
    tooMany: 'O mês tem mais de 100.000 movimentos: eles não aparecem por meio. O extrato em CSV tem todos.',
    none: 'Nada se moveu neste mês',
    noneLead: 'Escolha outro mês.',
    csv: 'Baixar CSV',
    print: 'Imprimir',
    quiet: (count: number) =>
      count === 1
        ? '1 carteira sem saldo e sem movimento não aparece.'
        : `${count} carteiras sem saldo e sem movimento não aparecem.`,
  },
  en: {
    title: 'Reports',
    titleOf: (month: string) => `Report of ${month}`,
    month: 'Month',
    before: 'Month before',
    after: 'Month after',
    wallets: 'By wallet',
    lead: (from: string, to: string, zone: string) => `From ${from} to before ${to} (${zone}).`,
    addsUp:
      'Each line is the sum of lines of the statement. Opening plus movements makes the closing, and the methods add up to the wallet.',
    line: {
      opening: 'Opening balance',
      received: 'Received (gross)',
      fees: 'Fees',
      refunds: 'Refunds',
      disputes: 'Disputes',
      others: 'Debts and adjustments',
      net: 'Net',
      withdrawals: 'Withdrawals',
      transfers: 'Transfers between wallets',
      closing: 'Closing balance',
    },
    lines: 'Line',
    amount: 'Amount',
    total: (currency: string) => `Total in ${currency}`,
    statement: 'See in the statement',
    methodsOf: (wallet: string) => `By method · ${wallet}`,
    noMethod: 'Without a method',
    tooMany:
      'The month has more than 100,000 movements, so they are not shown by method. The statement as CSV has them all.',
    none: 'Nothing moved in this month',
    noneLead: 'Choose another month.',
    csv: 'Download CSV',
    print: 'Print',
    quiet: (count: number) =>
      count === 1
        ? '1 wallet without balance and movement is left out.'
        : `${count} wallets without balance and movement are left out.`,
  },
  es: {
    title: 'Informes',
    titleOf: (month: string) => `Informe de ${month}`,
    month: 'Mes',
    before: 'Mes anterior',
    after: 'Mes siguiente',
    wallets: 'Por billetera',
    lead: (from: string, to: string, zone: string) => `Del ${from} hasta antes del ${to} (${zone}).`,
    addsUp:
      'Cada línea es la suma de líneas del extracto. La apertura más los movimientos da el cierre, y los medios suman las líneas de la billetera.',
    line: {
      opening: 'Saldo de apertura',
      received: 'Recibido (bruto)',
      fees: 'Tarifas',
      refunds: 'Devoluciones',
      disputes: 'Disputas',
      others: 'Deudas y ajustes',
      net: 'Neto',
      withdrawals: 'Retiros',
      transfers: 'Transferencias entre billeteras',
      closing: 'Saldo de cierre',
    },
    lines: 'Línea',
    amount: 'Importe',
    total: (currency: string) => `Total en ${currency}`,
    statement: 'Ver en el extracto',
    methodsOf: (wallet: string) => `Por medio · ${wallet}`,
    noMethod: 'Sin medio',
    tooMany:
      'El mes tiene más de 100.000 movimientos: no se muestran por medio. El extracto en CSV los tiene todos.',
    none: 'Nada se movió en este mes',
    noneLead: 'Elija otro mes.',
    csv: 'Descargar CSV',
    print: 'Imprimir',
    quiet: (count: number) =>
      count === 1
        ? '1 billetera sin saldo ni movimiento no aparece.'
        : `${count} billeteras sin saldo ni movimiento no aparecen.`,
  },
})
