{
  description = "hcl: check, format, query, edit, evaluate and convert HCL 2 files";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = nixpkgs.lib.genAttrs systems;
    in
    {
      packages = each (system:
        let pkgs = nixpkgs.legacyPackages.${system};
        in {
          default = pkgs.rustPlatform.buildRustPackage {
            pname = "hcl";
            version = (builtins.fromTOML (builtins.readFile ./Cargo.toml)).workspace.package.version;
            src = self;
            cargoLock.lockFile = ./Cargo.lock;
            buildAndTestSubdir = "crates/cli";
            buildType = "dist";
            # The tests need files of the whole repository, and programs that they run.
            doCheck = false;
            nativeBuildInputs = [ pkgs.installShellFiles ];
            postInstall = ''
              for shell in bash zsh fish; do
                installShellCompletion --cmd hcl --"$shell" <("$out/bin/hcl" completions "$shell")
              done
              "$out/bin/hcl" man man && installManPage man/*.1
            '';
            meta = {
              homepage = "https://github.com/hclkit/hclkit";
              license = with nixpkgs.lib.licenses; [ mit asl20 ];
              mainProgram = "hcl";
            };
          };
        });

      apps = each (system: {
        default = { type = "app"; program = "${self.packages.${system}.default}/bin/hcl"; };
      });
    };
}
