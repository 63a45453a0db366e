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
    'Hoje até agora, comparado com o dia inteiro de ontem',
    'Today until now, compared with the whole of yesterday',
    'Hoy hasta ahora, comparado con todo el día de ayer',
  ],
  compared: (from: string, to: string, fromBefore: string, toBefore: string) => [
    `${from} a ${to}, comparado com ${fromBefore} a ${toBefore}`,
    `${from} to ${to}, compared with ${fromBefore} to ${toBefore}`,
    `${from} a ${to}, comparado con ${fromBefore} a ${toBefore}`,
  ],
  updated: ['Atualizado', 'Updated', 'Actualizado'],
  utc: ['Os dias seguem o horário UTC.', 'Days are days in UTC.', 'Los días siguen la hora UTC.'],
  lags: (age: string) => [
    `Os números estão ${age} atrasados: o que aconteceu depois ainda está sendo contado. Os saldos estão em dia.`,
    `The figures are ${age} behind: what happened since is still being counted. Balances are up to date.`,
    `Las cifras tienen ${age} de retraso: lo que ocurrió después aún se está contando. Los saldos están al día.`,
  ],
  createdFrom: (date: string) => [
    `Pagamentos criados: contados desde ${date}.`,
    `Created payments are counted from ${date} on.`,
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
  balanceChange: ['no período', 'over these days', 'en el período'],
  wallets: ['Por carteira', 'By wallet', 'Por billetera'],
  byMethod: ['Por meio', 'By method', 'Por medio'],
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
  methods: ['Por meio de pagamento', 'By payment method', 'Por medio de pago'],
  success: ['Taxa de sucesso', 'Success rate', 'Tasa de éxito'],
  successOf: (paid: string, ended: string) => [
    `${paid} pagas de ${ended} tentativas encerradas`,
    `${paid} paid of ${ended} attempts that ended`,
    `${paid} pagados de ${ended} intentos terminados`,
  ],
  time: ['Tempo até pago', 'Time to paid', 'Tiempo hasta pagado'],
  timeNote: ['mediana', 'median', 'mediana'],
  noMethods: [
    'Nenhuma tentativa terminou neste período.',
    'No attempt ended in this span.',
    'Ningún intento terminó en este período.',
  ],
  none: ['nenhum', 'none', 'ninguno'],
  latest: ['Últimos pagamentos', 'Latest payments', 'Últimos pagos'],
  latestNone: [
    'O primeiro pagamento aparece aqui.',
    'The first payment shows here.',
    'El primer pago aparece aquí.',
  ],
  seeAll: ['Ver todos', 'See all', 'Ver todos'],
  attention: ['Esperam por você', 'Waiting for you', 'Esperan por usted'],
  attentionNone: ['Nada espera por você.', 'Nothing waits for you.', 'Nada espera por usted.'],
  endpoints: (n: number, text: string) =>
    counted(
      n,
      [
        `${text} endpoint de webhook falha`,
        `${text} webhook endpoint is failing`,
        `${text} endpoint de webhook falla`,
      ],
      [
        `${text} endpoints de webhook falham`,
        `${text} webhook endpoints are failing`,
        `${text} endpoints de webhook fallan`,
      ],
    ),
  withdrawalsToApprove: (n: number, text: string) =>
    counted(
      n,
      [
        `${text} saque espera aprovação`,
        `${text} withdrawal waits for approval`,
        `${text} retiro espera aprobación`,
      ],
      [
        `${text} saques esperam aprovação`,
        `${text} withdrawals wait for approval`,
        `${text} retiros esperan aprobación`,
      ],
    ),
  refundsToApprove: (n: number, text: string) =>
    counted(
      n,
      [
        `${text} devolução espera aprovação`,
        `${text} refund waits for approval`,
        `${text} devolución espera aprobación`,
      ],
      [
        `${text} devoluções esperam aprovação`,
        `${text} refunds wait for approval`,
        `${text} devoluciones esperan aprobación`,
      ],
    ),
  disputesDue: (n: number, text: string) =>
    counted(
      n,
      [
        `${text} disputa com prazo nos próximos 7 dias`,
        `${text} dispute is due within 7 days`,
        `${text} disputa vence en los próximos 7 días`,
      ],
      [
        `${text} disputas com prazo nos próximos 7 dias`,
        `${text} disputes are due within 7 days`,
        `${text} disputas vencen en los próximos 7 días`,
      ],
    ),
  underpaid: (n: number, text: string) =>
    counted(
      n,
      [
        `${text} pagamento recebido só em parte`,
        `${text} payment was received in part only`,
        `${text} pago recibido solo en parte`,
      ],
      [
        `${text} pagamentos recebidos só em parte`,
        `${text} payments were received in part only`,
        `${text} pagos recibidos solo en parte`,
      ],
    ),
  suspended: (n: number, text: string) =>
    counted(
      n,
      [
        `${text} valor recebido sem pagamento`,
        `${text} amount came without a payment`,
        `${text} importe recibido sin pago`,
      ],
      [
        `${text} valores recebidos sem pagamento`,
        `${text} amounts came without a payment`,
        `${text} importes recibidos sin pago`,
      ],
    ),
  suspendedNote: [
    'O operador desta instalação decide para onde vai.',
    'The operator of this installation decides where it goes.',
    'El operador de esta instalación decide adónde va.',
  ],
  moreThan: (count: string) => [`Mais de ${count}`, `More than ${count}`, `Más de ${count}`],
  due: ['prazo', 'due', 'vence'],
  first: {
    disputes: ['a próxima', 'the next', 'la próxima'],
    withdrawals: ['o mais antigo', 'the oldest', 'el más antiguo'],
    refunds: ['a mais antiga', 'the oldest', 'la más antigua'],
    underpaid: ['o mais novo', 'the newest', 'el más nuevo'],
    endpoints: ['há mais tempo', 'for longest', 'desde hace más tiempo'],
    suspended: ['o mais antigo', 'the oldest', 'el más antiguo'],
  },
  receivedOf: (received: string, amount: string) => [
    `${received} de ${amount}`,
    `${received} of ${amount}`,
    `${received} de ${amount}`,
  ],
  startTitle: ['Receba o primeiro pagamento', 'Receive the first payment', 'Reciba el primer pago'],
  startLead: [
    'Um pagamento de teste mostra o caminho inteiro. Nenhum dinheiro real se move.',
    'A test payment shows the whole way. No real money moves.',
    'Un pago de prueba muestra todo el camino. No se mueve dinero real.',
  ],
  ownTitle: ['Faça seu checkout', 'Make your checkout', 'Haga su checkout'],
  ownNote: [
    'Com seu nome e sua cor, ao lado de como o cliente o vê. Um clique publica e abre a página; escolha Pix, e o banco do sandbox paga sozinho.',
    'With your name and colour, beside what your customer sees. One click publishes it and opens its page; choose Pix, and the sandbox’s bank pays by itself.',
    'Con su nombre y su color, junto a lo que ve el cliente. Un clic lo publica y abre la página; elija Pix, y el banco del sandbox paga solo.',
  ],
  ownDo: ['Fazer meu checkout', 'Make your checkout', 'Hacer mi checkout'],
  plainTitle: ['Ou com a página como ela é', 'Or with the page as it is', 'O con la página como es'],
  startMake: ['Crie um pagamento de teste', 'Make a test payment', 'Cree un pago de prueba'],
  startMakeNote: (amount: string) => [
    `De ${amount}, com a página que seus clientes veem.`,
    `Of ${amount}, with the page that your customers see.`,
    `De ${amount}, con la página que ven sus clientes.`,
  ],
  startMakeDo: ['Criar pagamento de teste', 'Make a test payment', 'Crear un pago de prueba'],
  startMade: (amount: string) => [
    `O pagamento de ${amount} está pronto.`,
    `The payment of ${amount} is ready.`,
    `El pago de ${amount} está listo.`,
  ],
  startOpen: ['Abra a página e pague', 'Open its page and pay', 'Abra la página y pague'],
  startOpenNote: [
    'Como um cliente: com o Pix ou o cartão do sandbox.',
    'As a customer: by the sandbox’s Pix or card.',
    'Como un cliente: con el Pix o la tarjeta del sandbox.',
  ],
  startOpenDo: ['Abrir a página de pagamento', 'Open the payment page', 'Abrir la página de pago'],
  startWatch: ['Veja o pagamento mudar para Pago', 'Watch it become Paid', 'Vea cómo pasa a Pagado'],
  startWatchNote: [
    'Sem recarregar: cada passo aparece quando acontece.',
    'Without a reload: each step shows when it happens.',
    'Sin recargar: cada paso aparece cuando ocurre.',
  ],
  startWatchDo: ['Ver o pagamento', 'See the payment', 'Ver el pago'],
  testDescription: ['Pagamento de teste', 'Test payment', 'Pago de prueba'],
  liveTitle: ['Nenhum pagamento ainda', 'No payments yet', 'Aún no hay pagos'],
  liveLead: [
    'Crie uma chave em Desenvolvedores e envie o primeiro pagamento pela API. Ele aparece aqui na hora.',
    'Make a key under Developers and send the first payment by the API. It shows here at once.',
    'Cree una clave en Desarrolladores y envíe el primer pago por la API. Aparece aquí al instante.',
  ],
  liveDo: ['Ir para Desenvolvedores', 'Go to Developers', 'Ir a Desarrolladores'],
})
