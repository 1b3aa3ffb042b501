#include "fuzz_target.h"
#include "memory_file.h"
#include "settings.h"

/// A TOML file given by --config, up to the options it stands for.
PITH_FUZZ_TARGET(config) {
  using pith::cli::Setting;
  const pith::fuzz::MemoryFile file(input);
  CLI::App app;
  pith::cli::Settings settings;
  const auto valued = [](const char* name) {
    return Setting{.name = name, .value_name = "TEXT", .help = "", .group = ""};
  };
  settings.attach(app, {valued("config"), valued("budget"), valued("strategy"), valued("lambda"),
                        valued("class-cap"), valued("threads"), valued("gamma"),
                        Setting{.name = "quiet", .value_name = "", .help = "", .group = "", .flag = true},
                        Setting{.name = "run", .value_name = "", .help = "", .group = "", .repeated = true}});
  app.parse("--config " + file.path());
  settings.gather();
  (void)settings.flag("quiet");
  (void)settings.list("run");
  (void)settings.all_given();
  (void)settings.threads();
  (void)pith::read_given_options(settings.given());
}
