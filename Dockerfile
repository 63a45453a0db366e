# Vintem in a container: one image for every role. `docker build --tag vintem .`; compose.yaml runs it.
# The base is Node's own image of the release that package.json pins.
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /vintem
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save
COPY . .
# The pages of payers, the dashboard and the documentation: production has no Vite to build them.
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
    VINTEM_DATA_DIR=/var/lib/vintem
WORKDIR /vintem
COPY --from=packages /vintem/node_modules node_modules
COPY --from=build /vintem/package.json package.json
COPY --from=build /vintem/openapi.json openapi.json
COPY --from=build /vintem/contracts/artifacts.json contracts/artifacts.json
COPY --from=build /vintem/migrations migrations
# At its start an API compares the built documentation with what it is made of, as everywhere.
COPY --from=build /vintem/docs docs
COPY --from=build /vintem/decisions decisions
COPY --from=build /vintem/examples examples
COPY --from=build /vintem/sdk sdk
COPY --from=build /vintem/SECURITY.md /vintem/GLOSSARY.md /vintem/CHANGELOG.md ./
COPY --from=build /vintem/src src
COPY --from=build /vintem/web web
# What must outlive the container, each a volume: what a process knows of the books, the signer's folder, and its socket and token.
RUN install --directory --owner=node --group=node --mode=0700 /var/lib/vintem /run/vintem
# Nothing else is written at run time: the user owns no more of the image, and the file system may be read-only but for /tmp.
USER node
EXPOSE 4000 4001 4002 4003 4004
HEALTHCHECK --interval=10s --timeout=3s CMD node -e "fetch('http://127.0.0.1:' + (process.env.PORT ?? 4000) + '/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["node", "src/main.ts"]
CMD ["api"]
