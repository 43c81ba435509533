import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 1_000 },
  worker: { format: "es" },
  server: { fs: { allow: [".."] } },
});
