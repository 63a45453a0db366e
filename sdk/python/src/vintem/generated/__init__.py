# What the generator of this repository writes from openapi.json: `npm run sdk`.
