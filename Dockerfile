# An image with the programs and nothing else, not even a shell:
#   docker build --tag hcl .
#   docker run --rm --volume "$PWD:/data" hcl check
FROM rust:1.95-slim-trixie AS build
RUN apt-get update && apt-get install --yes --no-install-recommends musl-tools && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN target="$(uname -m)-unknown-linux-musl" \
    && rustup target add "$target" \
    && cargo build --locked --profile dist --target "$target" -p hclkit-cli \
    && mkdir /programs \
    && cp "target/$target/dist/hcl" "target/$target/dist/hcldec" /programs/

FROM gcr.io/distroless/static-debian12:nonroot
LABEL org.opencontainers.image.source="https://github.com/hclkit/hclkit"
LABEL org.opencontainers.image.licenses="MIT OR Apache-2.0"
COPY --from=build /programs/ /usr/local/bin/
WORKDIR /data
ENTRYPOINT ["/usr/local/bin/hcl"]
