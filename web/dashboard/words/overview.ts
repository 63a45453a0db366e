import { commonWords } from '#/kernel/common-words.ts'
import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

export const overviewWords = dictionary({
  title: ['Visão geral', 'Overview', 'Resumen'],
  span: {
    today: ['Hoje', 'Today', 'Hoy'],
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
  latestNone: [
    'O primeiro pagamento aparece aqui.',
    'Your first payment shows up here.',
    'El primer pago aparece aquí.',
  ],
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
  startTitle: ['Receba o primeiro pagamento', 'Take your first payment', 'Reciba el primer pago'],
  startLead: [
    'Um pagamento de teste mostra o caminho inteiro. Nenhum dinheiro real é movimentado.',
    'A test payment shows the whole flow. No real money moves.',
    'Un pago de prueba muestra todo el recorrido. No se mueve dinero real.',
  ],
  ownTitle: ['Crie seu checkout', 'Create your checkout', 'Cree su checkout'],
  ownNote: [
    'Com seu nome e sua cor, ao lado do que o cliente vê. Um clique publica e abre a página; escolha Pix, e o banco do sandbox paga sozinho.',
    'With your name and color, next to what your customer sees. One click publishes it and opens the page; choose Pix, and the sandbox bank pays by itself.',
    'Con su nombre y su color, junto a lo que ve el cliente. Un clic lo publica y abre la página; elija Pix, y el banco del sandbox paga solo.',
  ],
  ownDo: ['Criar meu checkout', 'Create my checkout', 'Crear mi checkout'],
  plainTitle: ['Ou use a página padrão', 'Or use the default page', 'O use la página estándar'],
  startMake: ['Crie um pagamento de teste', 'Create a test payment', 'Cree un pago de prueba'],
  startMakeNote: (amount: string) => [
    `De ${amount}, com a página que seus clientes veem.`,
    `For ${amount}, with the page your customers see.`,
    `De ${amount}, con la página que ven sus clientes.`,
  ],
  startMakeDo: ['Criar pagamento de teste', 'Create test payment', 'Crear un pago de prueba'],
  startMade: (amount: string) => [
    `O pagamento de ${amount} está pronto.`,
    `The payment of ${amount} is ready.`,
    `El pago de ${amount} está listo.`,
  ],
  startOpen: ['Abra a página e pague', 'Open the page and pay', 'Abra la página y pague'],
  startOpenNote: [
    'Como um cliente: com o Pix ou o cartão do sandbox.',
    'Like a customer: with the sandbox’s Pix or card.',
    'Como un cliente: con el Pix o la tarjeta del sandbox.',
  ],
  startOpenDo: ['Abrir a página de pagamento', 'Open payment page', 'Abrir la página de pago'],
  startWatch: ['Veja o status mudar para Pago', 'Watch it become Paid', 'Vea cómo pasa a Pagado'],
  startWatchNote: [
    'Sem recarregar: cada passo aparece quando acontece.',
    'No reload needed: each step shows up as it happens.',
    'Sin recargar: cada paso aparece cuando ocurre.',
  ],
  startWatchDo: ['Ver o pagamento', 'View payment', 'Ver el pago'],
  testDescription: ['Pagamento de teste', 'Test payment', 'Pago de prueba'],
  liveTitle: ['Nenhum pagamento ainda', 'No payments yet', 'Aún no hay pagos'],
  liveLead: [
    'Crie uma chave em Desenvolvedores e envie o primeiro pagamento pela API. Ele aparece aqui na hora.',
    'Create a key under Developers and send your first payment through the API. It shows up here right away.',
    'Cree una clave en Desarrolladores y envíe el primer pago por la API. Aparece aquí al instante.',
  ],
  liveDo: ['Ir para Desenvolvedores', 'Go to Developers', 'Ir a Desarrolladores'],
})
