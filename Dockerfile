# Touchstone with all that it uses: Chromium, Bubblewrap, the tool servers and libraries, and the real applications.
FROM node:22-bookworm-slim

RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap chromium fonts-liberation python3 \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /touchstone
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && mkdir /touchstone-work && chown node:node /touchstone-work

# Chromium keeps its own sandbox only of who is not root.
USER node
RUN node dist/cli/main.js apps install

WORKDIR /touchstone-work
ENTRYPOINT ["node", "/touchstone/dist/cli/main.js"]
CMD ["--help"]
