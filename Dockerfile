# Vintem in a container: one image for every role. `docker build --tag vintem .`; compose.yaml runs it.
# The base is Node's own image of the release that package.json pins.
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /vintem
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save
COPY . .
# The pages of payers and the dashboard: production has no Vite to build them.
RUN node scripts/web.ts

FROM node:26.10.0-bookworm-slim AS packages
WORKDIR /vintem
COPY package.json package-lock.json .npmrc ./
# Without the embedded PostgreSQL and the runtime from npm: DATABASE_URL names a database, and the image has Node.
RUN npm install --omit=dev --omit=optional --no-save

FROM node:26.10.0-bookworm-slim
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE= \
    VINTEM_SANDBOX=off \
    VINTEM_HOST=0.0.0.0 \
    VINTEM_DATA_DIR=/tmp/vintem
WORKDIR /vintem
COPY --from=packages /vintem/node_modules node_modules
COPY --from=build /vintem/package.json package.json
COPY --from=build /vintem/openapi.json openapi.json
COPY --from=build /vintem/contracts/artifacts.json contracts/artifacts.json
COPY --from=build /vintem/migrations migrations
COPY --from=build /vintem/docs docs
COPY --from=build /vintem/src src
COPY --from=build /vintem/web web
# Nothing of the image is written at run time: the user owns none of it, and the file system may be read-only but for /tmp.
USER node
EXPOSE 4000 4001 4002 4003 4004
HEALTHCHECK --interval=10s --timeout=3s CMD node -e "fetch('http://127.0.0.1:' + (process.env.PORT ?? 4000) + '/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["node", "src/main.ts"]
CMD ["api"]
