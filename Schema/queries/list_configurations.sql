SELECT digest, json FROM configuration;
