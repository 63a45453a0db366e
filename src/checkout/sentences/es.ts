import type { Sentences } from './en.ts'

export const esSentences: Sentences = {
  methods: {
    PIX: { label: 'Pix', hint: 'Con la app de su banco, pagado en segundos.' },
    CREDIT_CARD: { label: 'Tarjeta', hint: 'Tarjeta de crédito o débito.' },
    CRYPTO: { label: 'USDT', hint: 'Desde su billetera o plataforma, en pocos minutos.' },
    PARTNER_PAY: { label: 'App de billetera', hint: 'Confirme en la app de su billetera.' },
  },
  until: (time, isToday) => `hasta ${isToday ? 'las' : 'el'} ${time}`,
  choose: {
    headline: '¿Cómo quiere pagar?',
    message: 'Elija una forma de pago. Puede cambiarla hasta que haya pagado.',
    one: 'Complete lo que falta y siga al pago.',
  },
  preparing: { headline: 'Un momento', message: 'Estamos preparando su pago.' },
  waiting: {
    PIX: {
      headline: 'Pague con Pix',
      message: (until) => `Escanee el código con la app de su banco o cópielo. Vale ${until}.`,
    },
    CREDIT_CARD: {
      headline: 'Pague con tarjeta',
      message: 'Su banco puede pedirle una confirmación. No se cobra nada antes.',
      hosted: 'Usted sigue a la página segura de la procesadora y luego vuelve aquí.',
    },
    CRYPTO: {
      headline: (amount) => `Envíe ${amount}`,
      message: (amount, network, until) =>
        `Envíe exactamente ${amount} por la red ${network} a esta dirección ${until}.`,
    },
    PARTNER_PAY: {
      headline: 'Pague en la app de su billetera',
      message: (until) => `Escanee el código con la app o, en un teléfono, ábrala desde aquí, ${until}.`,
    },
  },
  confirming: {
    headline: 'Su pago está en camino',
    coins: ({ received }) =>
      `Vemos ${received} en la red. Se confirma solo en pocos minutos; puede cerrar esta página.`,
    other: 'Su pago se está procesando. No tiene que hacer nada ni pagar otra vez.',
    late: ({ received }) =>
      `Vemos ${received} en la red, enviados después del plazo. Cuando la red los confirme, se abonan y se avisa a la tienda.`,
  },
  authorised: {
    headline: 'Pago autorizado',
    message: (merchant) => `El importe está reservado en su tarjeta. ${merchant} lo cobra con su pedido.`,
  },
  underpaid: {
    headline: 'Falta una parte',
    more: ({ received, amount }, missing, until) =>
      `Recibimos ${received} de ${amount}. Envíe ${missing} más a esta dirección ${until}.`,
    ask: ({ received, amount }, merchant) =>
      `Recibimos ${received} de ${amount}. Pregunte a ${merchant} cómo pagar el resto.`,
  },
  paid: {
    headline: 'Pagado',
    message: (merchant) => `${merchant} tiene su pago. Gracias.`,
  },
  overpaid: {
    headline: 'Pagado, y de más',
    message: ({ received, amount }, excess, merchant) =>
      `Recibimos ${received} por ${amount}. ${merchant} ya lo sabe: pida allí la devolución de ${excess}.`,
  },
  late: {
    headline: 'Pagado fuera de plazo',
    message: (merchant) =>
      `Su dinero llegó completo y ${merchant} ya lo sabe. Pregunte allí qué pasa con su pedido.`,
  },
  expired: {
    headline: 'El plazo para pagar terminó',
    message: (merchant) =>
      `No llegó ningún pago, así que no se cobró nada. Empiece de nuevo en ${merchant}. ¿Ya pagó? Entonces no pague dos veces: hable con ${merchant}.`,
    withMoney: ({ received, amount }, merchant) =>
      `Recibimos ${received} de ${amount}, y el plazo terminó. El dinero está seguro: pida a ${merchant} la devolución, o cómo pagar el resto.`,
  },
  failed: {
    headline: 'El pago no funcionó',
    message: (merchant) => `No se cobró nada. Empiece de nuevo en ${merchant} o pague de otra forma.`,
  },
  canceled: {
    headline: 'El pago fue cancelado',
    message: (merchant) => `No se cobró nada. Puede empezar de nuevo en ${merchant}.`,
  },
  endedWithMoney: ({ received, amount }, merchant) =>
    `Recibimos ${received} de ${amount}. El dinero está seguro: pida a ${merchant} la devolución.`,
  declines: {
    insufficient_funds: 'La tarjeta no tiene saldo para este importe. Pruebe con otra.',
    expired_card: 'La tarjeta está vencida. Pruebe con otra.',
    incorrect_cvc: 'El código de seguridad no es correcto. Revíselo e inténtelo otra vez.',
    incorrect_number: 'El número de la tarjeta no es correcto. Revíselo e inténtelo otra vez.',
    card_not_supported: 'Este tipo de tarjeta no se acepta aquí. Pruebe con otra.',
    limit_exceeded: 'El importe supera el límite de la tarjeta. Pruebe con otra.',
    authentication_failed: 'Su banco no confirmó que es usted. Inténtelo otra vez o use otra tarjeta.',
    processing_error: 'No pudimos hablar con el banco. Inténtelo otra vez en un momento.',
    card_declined: 'El banco rechazó la tarjeta. Pruebe con otra o consulte a su banco.',
    order_canceled: 'El pago se canceló en la aplicación. No se cobró nada. Inténtelo otra vez.',
    order_failed: 'La aplicación no pudo completar el pago. No se cobró nada. Inténtelo otra vez.',
    other: 'El pago fue rechazado. Inténtelo otra vez; si no funciona, pregunte a la tienda.',
  },
  problems: {
    provider_away:
      'El proveedor del pago no responde ahora. No se cobró nada. Inténtelo otra vez, por favor.',
    refused: 'Esta forma de pago no está disponible ahora. Elija otra, por favor.',
  },
  receipt: {
    amount: 'Importe',
    received: 'Recibido',
    method: 'Pagado con',
    paidAt: 'Pagado el',
    to: 'Pagado a',
    number: 'Número del pago',
    transaction: 'Transacción',
  },
  fields: {
    name: 'Nombre',
    email: 'Correo electrónico',
    phone: 'Teléfono',
    taxId: 'CPF o CNPJ',
    country: 'País',
    postcode: 'Código postal',
    line1: 'Dirección',
    line2: 'Piso, puerta u otros datos',
    district: 'Barrio',
    city: 'Ciudad',
    region: 'Estado o región',
  },
  faults: {
    required: (label) => `Complete: ${label}.`,
    email: 'Esto no es un correo electrónico. Es así: ana@ejemplo.com.',
    phone: 'Esto no es un teléfono. Escríbalo con el código del país, como +55 11 91234-5678.',
    taxId: 'Estos no son los dígitos de un CPF o CNPJ. Revíselos.',
    tooLong: 'Esto es demasiado largo.',
    card: 'No escriba números de tarjeta aquí. Su lugar es el formulario de la tarjeta.',
    country: 'Elija un país de la lista.',
  },
  qr: {
    PIX: 'Código QR del pago Pix',
    address: 'Código QR de la dirección',
    wallet: 'Código QR con dirección e importe, para billeteras',
    PARTNER_PAY: 'Código QR para la app de la billetera',
  },
  links: {
    back: (merchant) => `Volver a ${merchant}`,
    support: (merchant) => `Hablar con ${merchant}`,
    terms: 'Términos',
    privacy: 'Privacidad',
  },
  pages: {
    not_found: {
      title: 'Aquí no hay ningún pago',
      message: 'Puede que el enlace esté cortado. Ábralo otra vez desde la tienda o el mensaje en que vino.',
    },
    too_many: {
      title: 'Un poco demasiado rápido',
      message: 'Espere unos segundos y cargue la página otra vez.',
    },
    refused: { title: 'No funcionó', message: 'Abra el pago otra vez desde su enlace.' },
    broken: {
      title: 'Algo salió mal aquí',
      message: 'Su pago está seguro. Cargue la página otra vez en un momento.',
    },
    leaving: {
      title: 'Hacia el proveedor del pago',
      message: 'Usted sigue a la página segura del proveedor. Si no pasa nada, use el botón.',
      button: 'Seguir',
    },
    back_to_payment: 'Volver al pago',
  },
  frame: {
    title: 'Datos de la tarjeta',
    broken: 'El formulario de la tarjeta no carga. Revise su conexión y cargue la página otra vez.',
  },
}
