import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

export const overviewWords = dictionary({
  title: ['Visão geral', 'Overview', 'Resumen'],
  span: {
    today: commonWords.today,
    '7d': ['7 dias', '7 days', '7 días'],
    '30d': ['30 dias', '30 days', '30 días'],
    '90d': ['90 dias', '90 days', '90 días'],
  },
  comparedToday: [
    'Hoje até agora, em comparação com ontem inteiro',
    'Today so far, compared with all of yesterday',
    'Hoy hasta ahora, comparado con todo el día de ayer',
  ],
  compared: (from: string, to: string, fromBefore: string, toBefore: string) => [
    `${from} a ${to}, comparado com ${fromBefore} a ${toBefore}`,
    `${from} to ${to}, compared with ${fromBefore} to ${toBefore}`,
    `${from} a ${to}, comparado con ${fromBefore} a ${toBefore}`,
  ],
  updated: ['Atualizado', 'Updated', 'Actualizado'],
  utc: ['Os dias seguem o horário UTC.', 'Days are in UTC.', 'Los días siguen la hora UTC.'],
  lags: (age: string) => [
    `Os números estão ${age} atrasados: o que aconteceu depois ainda está sendo contado. Os saldos estão em dia.`,
    `The figures are ${age} behind: what happened since then is still being counted. Balances are up to date.`,
    `Las cifras tienen ${age} de retraso: lo que ocurrió después aún se está contando. Los saldos están al día.`,
  ],
  createdFrom: (date: string) => [
    `Pagamentos criados: contados desde ${date}.`,
    `Payments created are counted from ${date}.`,
    `Pagos creados: contados desde el ${date}.`,
  ],
  balances: ['Saldos', 'Balances', 'Saldos'],
  noChart: [
    'O gráfico começa com o primeiro valor.',
    'The chart begins with the first amount.',
    'El gráfico empieza con el primer importe.',
  ],
  balance: (currency: string) => [`Saldo em ${currency}`, `Balance in ${currency}`, `Saldo en ${currency}`],
  balanceNow: ['disponível agora', 'available now', 'disponible ahora'],
  balanceChange: ['no período', 'in this period', 'en el período'],
  wallets: ['Por carteira', 'By wallet', 'Por billetera'],
  byMethod: ['Por forma de pagamento', 'By payment method', 'Por medio de pago'],
  inflow: ['Entrou hoje', 'Came in today', 'Entró hoy'],
  outflow: ['Saiu hoje', 'Went out today', 'Salió hoy'],
  volume: (currency: string) => [
    `Recebido em ${currency}`,
    `Received in ${currency}`,
    `Recibido en ${currency}`,
  ],
  volumePerDay: (currency: string) => [
    `Recebido por dia em ${currency}`,
    `Received per day in ${currency}`,
    `Recibido por día en ${currency}`,
  ],
  before: (value: string) => [`antes ${value}`, `before ${value}`, `antes ${value}`],
  growth: (growth: string, value: string) => [
    `${growth}, antes ${value}`,
    `${growth}, before ${value}`,
    `${growth}, antes ${value}`,
  ],
  paid: ['Pagos', 'Paid', 'Pagados'],
  created: ['Criados', 'Created', 'Creados'],
  times: (count: number, text: string) =>
    counted(
      count,
      [`${text} vez`, `${text} time`, `${text} vez`],
      [`${text} vezes`, `${text} times`, `${text} veces`],
    ),
  disputesEnded: (won: string, lost: string) => [
    `ganhas: ${won}, perdidas: ${lost}`,
    `${won} won, ${lost} lost`,
    `ganadas: ${won}, perdidas: ${lost}`,
  ],
  methods: ['Por forma de pagamento', 'By payment method', 'Por medio de pago'],
  success: ['Taxa de aprovação', 'Success rate', 'Tasa de aprobación'],
  successOf: (paid: string, ended: string) =>
    counted(
      ended,
      [
        `${paid} de ${ended} tentativa paga`,
        `${paid} of ${ended} attempt paid`,
        `${paid} de ${ended} intento pagado`,
      ],
      [
        `${paid} de ${ended} tentativas pagas`,
        `${paid} of ${ended} attempts paid`,
        `${paid} de ${ended} intentos pagados`,
      ],
    ),
  time: ['Tempo até o pagamento', 'Time to payment', 'Tiempo hasta el pago'],
  timeNote: ['mediana', 'median', 'mediana'],
  noMethods: [
    'Nenhuma tentativa terminou neste período.',
    'No attempts ended in this period.',
    'Ningún intento terminó en este período.',
  ],
  none: ['nenhum', 'none', 'ninguno'],
  latest: ['Pagamentos recentes', 'Recent payments', 'Pagos recientes'],
  seeAll: ['Ver todos', 'View all', 'Ver todos'],
  attention: ['Pendências', 'To do', 'Pendientes'],
  attentionNone: ['Você está em dia.', 'You’re all caught up.', 'Está al día.'],
  endpoints: (n: number, text: string) =>
    counted(
      n,
      [`${text} webhook está falhando`, `${text} webhook is failing`, `${text} webhook está fallando`],
      [`${text} webhooks estão falhando`, `${text} webhooks are failing`, `${text} webhooks están fallando`],
    ),
  withdrawalsToApprove: (n: number, text: string) =>
    counted(
      n,
      [
        `${text} saque aguarda aprovação`,
        `${text} withdrawal needs approval`,
        `${text} retiro espera aprobación`,
      ],
      [
        `${text} saques aguardam aprovação`,
        `${text} withdrawals need approval`,
        `${text} retiros esperan aprobación`,
      ],
    ),
  refundsToApprove: (n: number, text: string) =>
    counted(
      n,
      [
        `${text} reembolso aguarda aprovação`,
        `${text} refund needs approval`,
        `${text} reembolso espera aprobación`,
      ],
      [
        `${text} reembolsos aguardam aprovação`,
        `${text} refunds need approval`,
        `${text} reembolsos esperan aprobación`,
      ],
    ),
  disputesOpen: (n: number, text: string) =>
    counted(
      n,
      [`${text} contestação aberta`, `${text} open dispute`, `${text} disputa abierta`],
      [`${text} contestações abertas`, `${text} open disputes`, `${text} disputas abiertas`],
    ),
  underpaid: (n: number, text: string) =>
    counted(
      n,
      [
        `${text} pagamento recebido só em parte`,
        `${text} payment was only partially paid`,
        `${text} pago recibido solo en parte`,
      ],
      [
        `${text} pagamentos recebidos só em parte`,
        `${text} payments were only partially paid`,
        `${text} pagos recibidos solo en parte`,
      ],
    ),
  suspended: (n: number, text: string) =>
    counted(
      n,
      [`${text} valor não identificado`, `${text} unidentified receipt`, `${text} importe no identificado`],
      [
        `${text} valores não identificados`,
        `${text} unidentified receipts`,
        `${text} importes no identificados`,
      ],
    ),
  suspendedNote: [
    'O operador desta instalação decide o destino.',
    'The operator of this installation decides where it goes.',
    'El operador de esta instalación decide adónde va.',
  ],
  moreThan: (count: string) => [`Mais de ${count}`, `More than ${count}`, `Más de ${count}`],
  due: ['prazo', 'due', 'vence'],
  first: {
    disputes: ['a próxima', 'next', 'la próxima'],
    withdrawals: commonWords.oldest,
    refunds: commonWords.oldest,
    underpaid: ['o mais recente', 'most recent', 'el más reciente'],
    endpoints: ['há mais tempo', 'longest', 'desde hace más tiempo'],
    suspended: commonWords.oldest,
  },
  receivedOf: (received: string, amount: string) => [
    `${received} de ${amount}`,
    `${received} of ${amount}`,
    `${received} de ${amount}`,
  ],
})
