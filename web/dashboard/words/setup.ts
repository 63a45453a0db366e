import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** What a new merchant sets up. */
export const setupWords = dictionary({
  title: ['Configure sua conta', 'Set up your account', 'Configure su cuenta'],
  progress: (count: number, done: string, all: string) =>
    counted(
      count,
      [`${done} de ${all} pronto`, `${done} of ${all} done`, `${done} de ${all} listo`],
      [`${done} de ${all} prontos`, `${done} of ${all} done`, `${done} de ${all} listos`],
    ),
  isDone: ['Pronto', 'Done', 'Listo'],
  hide: ['Dispensar', 'Dismiss', 'Descartar'],
  hidden: [
    'Lista dispensada para toda a equipe. Em Configurações → Loja ela volta.',
    'List dismissed for the whole team. Settings → Shop brings it back.',
    'Lista descartada para todo el equipo. En Ajustes → Tienda vuelve a mostrarse.',
  ],
  steps: {
    CHECKOUT: ['Crie seu checkout', 'Create your checkout', 'Cree su checkout'],
    PAYMENT: ['Receba um pagamento', 'Take a payment', 'Reciba un pago'],
    KEY: ['Crie uma chave de API', 'Create an API key', 'Cree una clave de API'],
    ENDPOINT: ['Adicione um webhook', 'Add a webhook', 'Agregue un webhook'],
    APPROVAL: [
      'Escolha quando duas pessoas aprovam um saque',
      'Choose when a withdrawal needs two people',
      'Elija cuándo un retiro necesita dos personas',
    ],
    TEAM: ['Convide sua equipe', 'Invite your team', 'Invite a su equipo'],
  },
  notes: {
    CHECKOUT: [
      'Com seu nome e sua cor, ao lado do que o cliente vê. Um clique publica e abre a página.',
      'With your name and color, next to what your customer sees. One click publishes it and opens the page.',
      'Con su nombre y su color, junto a lo que ve el cliente. Un clic lo publica y abre la página.',
    ],
    PAYMENT: [
      'O primeiro aparece aqui assim que for confirmado.',
      'The first one shows up here as soon as it is confirmed.',
      'El primero aparece aquí en cuanto se confirme.',
    ],
    KEY: [
      'Com ela sua loja cria pagamentos pela API.',
      'With it your shop creates payments through the API.',
      'Con ella su tienda crea pagos por la API.',
    ],
    ENDPOINT: [
      'Sua loja fica sabendo na hora do que é pago, reembolsado ou contestado.',
      'Your shop learns at once what is paid, refunded or disputed.',
      'Su tienda se entera al instante de lo que se paga, se reembolsa o se disputa.',
    ],
    APPROVAL: [
      'Acima do valor que você escolher, um saque espera outra pessoa. O operador desta instalação registra o valor: diga a ele qual é.',
      'Above the amount that you choose, a withdrawal waits for another person. The operator of this installation records it: tell them the amount.',
      'Por encima del importe que elija, un retiro espera a otra persona. El operador de esta instalación lo registra: dígale cuál es.',
    ],
    TEAM: [
      'Cada pessoa com seu acesso e sua função, sem senhas compartilhadas.',
      'Everybody has an access and a role of their own, and no password is shared.',
      'Cada persona con su acceso y su rol, sin contraseñas compartidas.',
    ],
  },
  testNote: (amount: string) => [
    `Um teste de ${amount}, com a página que seus clientes veem. Nenhum dinheiro real é movimentado.`,
    `A test of ${amount}, with the page your customers see. No real money moves.`,
    `Una prueba de ${amount}, con la página que ven sus clientes. No se mueve dinero real.`,
  ],
  payNote: (amount: string) => [
    `O pagamento de ${amount} está pronto. Pague como um cliente: o status muda aqui, sem recarregar.`,
    `The payment of ${amount} is ready. Pay it like a customer: the status changes here without a reload.`,
    `El pago de ${amount} está listo. Páguelo como un cliente: el estado cambia aquí, sin recargar.`,
  ],
  ownCheckout: ['Criar meu checkout', 'Create my checkout', 'Crear mi checkout'],
  testPayment: ['Criar pagamento de teste', 'Create test payment', 'Crear un pago de prueba'],
  testDescription: ['Pagamento de teste', 'Test payment', 'Pago de prueba'],
  newPayment: ['Novo pagamento', 'New payment', 'Nuevo pago'],
  openPage: ['Abrir a página de pagamento', 'Open payment page', 'Abrir la página de pago'],
  viewPayment: ['Ver o pagamento', 'View payment', 'Ver el pago'],
  keys: ['Ir para as chaves', 'Go to keys', 'Ir a las claves'],
  endpoints: ['Ir para os webhooks', 'Go to webhooks', 'Ir a los webhooks'],
  limits: ['Ver os limites', 'View limits', 'Ver los límites'],
  members: ['Ir para os membros', 'Go to members', 'Ir a los miembros'],
  noneTitle: ['Nenhum pagamento ainda', 'No payments yet', 'Aún no hay pagos'],
  none: [
    'O primeiro pagamento aparece aqui.',
    'Your first payment shows up here.',
    'El primer pago aparece aquí.',
  ],
})
