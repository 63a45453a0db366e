import { dictionary } from './dictionary.ts'

/** How the provider of a connection answers, hour by hour, and what this machine carries. */
export const operatorHealthWords = dictionary({
  'pt-BR': {
    title: 'Respostas do provedor',
    none: 'Ainda não houve chamadas nos últimos 30 dias. Teste a conexão para saber se ela funciona.',
    lastGood: 'Última resposta boa',
    lastBad: 'Última falha',
    never: 'Nenhuma ainda',
    hour: 'Hora',
    calls: 'Chamadas',
    errors: 'Falhas',
    mean: 'Média',
    longest: 'Mais longa',
    measured: 'Medido nesta máquina',
    measuredOf: (perSecond: string) => `${perSecond} pagamentos criados por segundo`,
    share: 'Uso hoje, em média',
    shareOf: (percent: string) => `${percent} do que foi medido`,
    unmeasured:
      'Não há medida desta máquina. Rode npm run bench -- --only=creation nela, com a carga parada, e o número aparece aqui.',
  },
  en: {
    title: 'Answers of the provider',
    none: 'There was no call in the last 30 days. Test the connection to see whether it works.',
    lastGood: 'Last good answer',
    lastBad: 'Last failure',
    never: 'None yet',
    hour: 'Hour',
    calls: 'Calls',
    errors: 'Failures',
    mean: 'Mean',
    longest: 'Longest',
    measured: 'Measured on this machine',
    measuredOf: (perSecond: string) => `${perSecond} payments created per second`,
    share: 'Use today, on average',
    shareOf: (percent: string) => `${percent} of what was measured`,
    unmeasured:
      'There is no figure of this machine. Run npm run bench -- --only=creation on it while nothing else does, and the figure appears here.',
  },
  es: {
    title: 'Respuestas del proveedor',
    none: 'No hubo llamadas en los últimos 30 días. Pruebe la conexión para saber si funciona.',
    lastGood: 'Última respuesta buena',
    lastBad: 'Último fallo',
    never: 'Ninguna aún',
    hour: 'Hora',
    calls: 'Llamadas',
    errors: 'Fallos',
    mean: 'Media',
    longest: 'Más larga',
    measured: 'Medido en esta máquina',
    measuredOf: (perSecond: string) => `${perSecond} pagos creados por segundo`,
    share: 'Uso hoy, en promedio',
    shareOf: (percent: string) => `${percent} de lo medido`,
    unmeasured:
      'No hay una medida de esta máquina. Ejecute npm run bench -- --only=creation en ella, sin otra carga, y el número aparece aquí.',
  },
})
